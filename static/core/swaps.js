// After htmx has replaced something: dialogs open, and the focus is where a keyboard user expects it.

const ROW = "tbody tr, [data-row]";
const TO_FOCUS = "a[href], button, input:not([type=hidden]), summary";

// --- Dialogs: <dialog data-open> opens when it arrives, [data-close] closes it, so does the event "close-dialogs".

let opener;

// A second dialog over the first one goes back to where the first was opened.
const noteOpener = () => {
  if (!document.activeElement.closest("dialog")) opener = document.activeElement;
};

const openDialogs = () => {
  for (const dialog of document.querySelectorAll("dialog[data-open]:not([open])")) {
    noteOpener();
    delete dialog.dataset.open;
    dialog.showModal();
  }
};
// Not before: a button that is pressed sooner does nothing, for htmx does not know it yet.
document.addEventListener("htmx:afterSettle", openDialogs);
document.addEventListener("click", (event) => event.target.closest("[data-close]")?.closest("dialog").close());
// It only closes: htmx still needs the button in it to know where the rest of the answer belongs.
document.addEventListener("close-dialogs", () => {
  for (const dialog of document.querySelectorAll("#dialogs dialog")) dialog.close();
});

// The browser gives the focus back to what opened a dialog, but not when that was replaced or hidden meanwhile.
const giveBack = ({ target }) => {
  if (isLost() || target.contains(document.activeElement)) found(opener)?.focus();
};
document.addEventListener("close", giveBack, { capture: true });
// A dialog that is a popover tells it in other words.
const whenPopover = (name, state, act) =>
  document.addEventListener(
    name,
    (event) => event.target.matches("dialog[popover]") && event.newState === state && act(event),
    { capture: true },
  );
whenPopover("beforetoggle", "open", noteOpener);
whenPopover("toggle", "closed", giveBack);

// --- Focus: to [data-focus] if there is one; if it was lost, to the same row, the next, the one before, the heading.

let row, rows, hadFocus, settles;

const isLost = () => !document.activeElement || document.activeElement === document.body;
const found = (element) => {
  const there = element?.isConnected ? element : document.getElementById(element?.id ?? "");
  // What sits in a menu that has closed cannot take the focus; the menu's button can.
  return there && !there.checkVisibility() ? there.closest("details")?.querySelector("summary") : there;
};
const inRow = (element) => (element?.matches(TO_FOCUS) ? element : element?.querySelector(TO_FOCUS));

const siblings = (element, step) => {
  const others = [];
  for (let other = element[step]; other; other = other[step]) others.push(other);
  return others;
};

const heading = () => {
  const element = document.querySelector("main h1");
  if (element) element.tabIndex = -1;
  return element;
};

const restoreFocus = () => {
  const wanted = document.querySelector("[data-focus]");
  if (wanted) {
    delete wanted.dataset.focus;
    if (wanted.tabIndex < 0) wanted.tabIndex = -1;
    wanted.focus();
  } else if (hadFocus && isLost()) {
    const near = rows.map(found).map(inRow).find(Boolean);
    (near ?? found(opener) ?? heading())?.focus({ preventScroll: !near });
  }
};

document.addEventListener("focusin", (event) => {
  if (!event.target.closest("dialog, #toasts")) row = event.target.closest(ROW);
});
document.addEventListener("htmx:beforeSwap", () => {
  hadFocus = !isLost();
  settles = false;
  rows = row?.isConnected ? [row, ...siblings(row, "nextElementSibling"), ...siblings(row, "previousElementSibling")] : [];
});
document.addEventListener("htmx:afterSwap", () => (settles = true));
document.addEventListener("htmx:afterSettle", restoreFocus);
// An answer without content settles nothing. One with content may still take the focus itself when it settles.
document.addEventListener("htmx:afterRequest", () => settles || restoreFocus());
