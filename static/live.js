// Parts of a page that refresh themselves, <… data-live hx-trigger="every 5s">: not while nobody looks or something in
// them is being copied, and a refresh that fails is told beside them instead of by a toast every few seconds.

const isLive = (element) => element?.matches?.("[data-live]");
let open = [];

const tell = (element) => {
  const told = element.querySelector("[data-stale]");
  if (told) told.hidden = false;
};

document.addEventListener("htmx:beforeRequest", (event) => {
  const isSelected = () => !getSelection().isCollapsed && event.target.contains(getSelection().anchorNode);
  if (isLive(event.target) && (document.hidden || isSelected())) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  // What the Back button restores was not asked for by an element.
  const elt = event.detail.requestConfig?.elt;
  if (!isLive(elt)) return;
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
