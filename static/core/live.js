// Parts of a page that refresh themselves, <… data-live hx-trigger="every 5s">: not while nobody looks, or something in
// them is being copied or typed, and a refresh that fails is told beside them instead of by a toast every few seconds.

import "./htmx-config.js";

const isLive = (element) => element?.matches?.("[data-live]");
let open = [];

const tell = (element) => {
  const told = element.querySelector("[data-stale]");
  if (told) told.hidden = false;
};

const isSelected = (element) => !getSelection().isCollapsed && element.contains(getSelection().anchorNode);

// What was typed, also before it was refused (data-unsaved), must not be replaced.
const FIELDS = "input:not([type=hidden]), textarea, select";
const isTyped = (field) =>
  field === document.activeElement ||
  field.files?.length > 0 ||
  field.checked !== field.defaultChecked ||
  (field.defaultValue !== undefined && field.type !== "file" && field.value !== field.defaultValue);
const isBeingTyped = (element) =>
  element.querySelector("[data-unsaved]") || [...element.querySelectorAll(FIELDS)].some(isTyped);

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isLive(event.target)) return;
  if (document.hidden || isSelected(event.target) || isBeingTyped(event.target)) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  // What the Back button restores was not asked for by an element.
  const elt = event.detail.requestConfig?.elt;
  if (!isLive(elt)) return;
  // Somebody may have begun to type while it was asked for.
  if (isBeingTyped(elt)) return event.preventDefault();
  open = [...elt.querySelectorAll("details[open][id]")].map((details) => details.id);
  if (event.detail.isError) {
    event.preventDefault();
    tell(elt);
  }
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (!isLive(event.detail.requestConfig?.elt)) return;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
});

for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, (event) => {
    if (!isLive(event.target)) return;
    event.stopImmediatePropagation();
    tell(event.target);
  }, { capture: true });
}
