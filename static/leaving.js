// Forms with data-warn-unsaved: the browser asks before a page with something typed and not sent is left.
// A form that the server shows again with errors says data-unsaved; an autosave tells `fieldhouse:saved`.

const WARNED = "form[data-warn-unsaved]";
const unsaved = new WeakSet();

const formOf = (event) => event.target.form ?? event.target.closest?.("form");
const note = (event) => formOf(event)?.matches(WARNED) && unsaved.add(formOf(event));
const forget = (event) => unsaved.delete(formOf(event));
const noteShownAgain = () => document.querySelectorAll(`${WARNED}[data-unsaved]`).forEach((form) => unsaved.add(form));

// Not "change": it comes when a field is left, maybe long after an autosave.
document.addEventListener("input", note);
document.addEventListener("submit", forget);
document.addEventListener("fieldhouse:saved", forget);
document.addEventListener("htmx:afterSettle", noteShownAgain);
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.target.matches?.(WARNED) && !event.detail.successful) unsaved.add(event.target);
});
noteShownAgain();

addEventListener("beforeunload", (event) => {
  if ([...document.querySelectorAll(WARNED)].some((form) => unsaved.has(form))) event.preventDefault();
});
