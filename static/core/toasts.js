// Toasts: dismissing them, keeping them off the field being typed in, and what failed with a button to try again.

const LEAVES_AFTER = 10_000;
const FIELD = "input, select, textarea, [contenteditable=true]";
const toasts = document.getElementById("toasts");

const dismiss = (toast) => {
  const hadFocus = toast.contains(document.activeElement);
  toast.remove();
  if (hadFocus) document.getElementById("main").focus({ preventScroll: true });
};

document.addEventListener("click", (event) => {
  const toast = event.target.closest("[data-dismiss]")?.closest("[data-toast]");
  if (toast) dismiss(toast);
});

// Good news may go once it has been read, but only while it lies over the page: nothing jumps under the pointer.
const isNews = (element) => element.matches?.(".toast.success, .toast.info") && !element.querySelector("[data-undo]");
const letGo = () => {
  if (scrollY > toasts.offsetHeight) for (const old of toasts.querySelectorAll("[data-old]:not(:hover, :focus-within)")) old.remove();
};
const age = (toast) =>
  setTimeout(() => {
    toast.dataset.old = "";
    letGo();
  }, LEAVES_AFTER);
addEventListener("scroll", letGo, { passive: true });

// A toast that lies over the field being typed in: the field moves down to below it.
const typedIn = (field) => {
  const selection = field.isContentEditable && getSelection();
  return (selection && selection.rangeCount ? selection.getRangeAt(0) : field).getBoundingClientRect();
};
const makeRoom = () => {
  const field = document.activeElement;
  if (!toasts.childElementCount || !field?.matches(FIELD)) return;
  const [place, band] = [typedIn(field), toasts.getBoundingClientRect()];
  const isCovered = place.bottom > band.top && place.top < band.bottom && place.height < innerHeight / 3;
  if (isCovered) scrollBy({ top: place.top - band.bottom - 16, behavior: "instant" });
};
document.addEventListener("focusin", makeRoom);

new MutationObserver((changes) => {
  const added = changes.flatMap((change) => [...change.addedNodes]).filter((node) => node.matches?.("[data-toast]"));
  if (!added.length) return;
  // What was told before has been read by whoever does the next thing.
  for (const toast of toasts.querySelectorAll(".success, .info")) if (!added.includes(toast)) toast.remove();
  added.filter(isNews).forEach(age);
  makeRoom();
}).observe(toasts, { childList: true });
[...toasts.children].filter(isNews).forEach(age);

// --- What failed. Of a refusal htmx has put the reason into the toasts, from the page of an error or from the form
// that was sent, which stays as it is; it becomes a toast of its own here.

const TEMPORARY = new Set([0, 429, 500, 502, 503, 504]);

const again = ({ elt, requestConfig: { verb, path, triggeringEvent } }) => {
  const { submitter, type } = triggeringEvent ?? {};
  if (submitter?.isConnected) submitter.click();
  else if (type === "submit") elt.requestSubmit();
  else htmx.ajax(verb, path, { source: elt, event: triggeringEvent });
};

// A failure is over as soon as something of the same form, or the same button, has worked.
const sources = new WeakMap();
const sourceOf = (element) => element.closest("form") ?? element;

const forget = ({ detail }) => {
  if (!detail.successful) return;
  for (const toast of document.querySelectorAll("[data-toast].error")) {
    if (sources.get(toast) === sourceOf(detail.elt)) dismiss(toast);
  }
};

const showFailure = (kind) => (event) => {
  // An answer with a place of its own, such as a dialog, says itself what is wrong.
  if (event.detail.xhr.getResponseHeader("HX-Retarget")) return;
  const toast = document.getElementById("failed-toast").content.firstElementChild.cloneNode(true);
  const reasons = [...toasts.querySelectorAll(":scope > #error, :scope > .errorlist")];
  const { detail } = event;
  const retry = toast.querySelector("[data-retry]");
  toast.querySelector(".toast-text").textContent = reasons.map((reason) => reason.textContent).join(" ") || toast.dataset[kind];
  for (const old of document.querySelectorAll("[data-toast].error")) old.remove();
  for (const reason of reasons) reason.remove();
  sources.set(toast, sourceOf(detail.elt));
  if (TEMPORARY.has(detail.xhr.status) && detail.elt.isConnected) {
    retry.addEventListener("click", () => {
      toast.remove();
      again(detail);
    });
  } else {
    retry.remove();
  }
  // Behind a modal dialog nobody could read or press it.
  const dialog = document.querySelector("dialog:modal");
  if (dialog) dialog.prepend(toast);
  else toasts.append(toast);
  if (dialog) toast.setAttribute("role", "alert");
};

document.addEventListener("htmx:afterRequest", forget);
document.addEventListener("htmx:responseError", showFailure("failed"));
document.addEventListener("htmx:sendError", showFailure("noConnection"));
document.addEventListener("htmx:timeout", showFailure("tooSlow"));
