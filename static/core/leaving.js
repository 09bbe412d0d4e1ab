// Forms with data-warn-unsaved: what is typed is kept at the next pause, where the form can be kept (#autosave),
// and the browser asks before a page is left with something that is neither sent nor kept.
// The server says `fieldhouse:saved` when what it was sent is safe; a form shown again with errors has data-unsaved.

const WARNED = "form[data-warn-unsaved]";
const PAUSE = 1500;
const states = new WeakMap();

const formOf = (event) => {
  const form = event.target.form ?? event.target.closest?.("form");
  return form?.matches(WARNED) ? form : null;
};

// How often something was typed in all, up to the last request, and up to what is known to be safe.
const stateOf = (form) => {
  if (!states.has(form)) states.set(form, { typed: 0, sent: 0, safe: 0, requests: 0, timer: null });
  return states.get(form);
};

const isUnsaved = (form) => stateOf(form).typed > stateOf(form).safe;

const keep = (form) => {
  const autosave = form.querySelector("#autosave");
  // While another request runs the autosave would be dropped; it comes after it.
  if (autosave && form.isConnected && isUnsaved(form) && !stateOf(form).requests)
    htmx.trigger(autosave, "fieldhouse:keep");
};

const keepSoon = (form, pause = PAUSE) => {
  clearTimeout(stateOf(form).timer);
  stateOf(form).timer = setTimeout(() => keep(form), pause);
};

const typed = (form) => {
  stateOf(form).typed += 1;
  keepSoon(form);
};

const sayUnkept = (form) => {
  const state = form.querySelector("#save-state");
  if (state) state.textContent = state.dataset.unkept;
};

const forgetErrors = (form) => {
  form.querySelectorAll("ul.errorlist").forEach((list) => list.remove());
  form.querySelectorAll("[aria-invalid]").forEach((field) => {
    field.removeAttribute("aria-invalid");
    const described = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => document.getElementById(id));
    if (described.length) field.setAttribute("aria-describedby", described.join(" "));
    else field.removeAttribute("aria-describedby");
  });
};

const noteShownAgain = () =>
  document.querySelectorAll(`${WARNED}[data-unsaved]`).forEach((form) => states.has(form) || typed(form));

// Not "change": it comes when a field is left, maybe long after an autosave.
document.addEventListener("input", (event) => formOf(event) && typed(formOf(event)));
document.addEventListener("submit", (event) => {
  const form = formOf(event);
  if (form && !form.hasAttribute("hx-post")) stateOf(form).safe = stateOf(form).typed;
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const form = formOf(event);
  if (!form) return;
  stateOf(form).requests += 1;
  stateOf(form).sent = stateOf(form).typed;
});
document.addEventListener("fieldhouse:saved", (event) => {
  const form = formOf(event);
  if (!form) return;
  stateOf(form).safe = stateOf(form).sent;
  // An autosave keeps what is wrong as it is; a save was accepted, so nothing in the form is wrong any more.
  if (event.target === form) forgetErrors(form);
});
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const form = formOf(event);
  const { xhr } = event.detail;
  if (form && xhr.status < 400 && xhr.getResponseHeader("HX-Redirect")) stateOf(form).safe = stateOf(form).typed;
});
document.addEventListener("htmx:afterRequest", (event) => {
  const form = formOf(event);
  if (!form) return;
  stateOf(form).requests -= 1;
  const { successful, xhr } = event.detail;
  if (successful && isUnsaved(form)) keepSoon(form);
  if (!successful && event.target.id === "autosave" && xhr.status !== 409) sayUnkept(form);
});
document.addEventListener("htmx:afterSettle", noteShownAgain);
addEventListener("online", () => document.querySelectorAll(WARNED).forEach((form) => keepSoon(form, 0)));
noteShownAgain();

addEventListener("beforeunload", (event) => {
  if ([...document.querySelectorAll(WARNED)].some(isUnsaved)) event.preventDefault();
});
