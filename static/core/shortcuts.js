// Keyboard shortcuts: an element says its own with data-shortcut; fields are focused, everything else is clicked.

const WITH_CTRL = { k: "palette", s: "save", Enter: "publish" };
const ALONE = { "/": "/", n: "n", "?": "?" };
const FIELD = "input, select, textarea, [contenteditable]";

const isReachable = (element) => {
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  return !element.closest(":disabled, [inert]") && (!dialog || dialog.contains(element));
};

// Of two forms, the one that is being filled in.
const elementOf = (name) => {
  const elements = [...document.querySelectorAll(`[data-shortcut="${name}"]`)].filter(isReachable);
  const form = document.activeElement?.closest("form");
  return elements.find((element) => form && element.form === form) ?? elements[0];
};

const use = (element) => {
  if (!element.matches(FIELD)) return element.click();
  element.focus();
  element.select?.();
};

// --- Single keys can be switched off, for those who dictate or hit them by accident. This browser remembers it.

const PLACE = "fieldhouse-single-keys";
const choice = document.getElementById("single-keys");

const isSwitchedOff = () => {
  try {
    return localStorage.getItem(PLACE) === "off";
  } catch {
    return false;
  }
};

const show = (isOn) => {
  for (const line of document.querySelectorAll("[data-single-key]")) line.hidden = !isOn;
};

if (choice) {
  choice.checked = !isSwitchedOff();
  show(choice.checked);
  choice.addEventListener("change", () => {
    show(choice.checked);
    try {
      localStorage.setItem(PLACE, choice.checked ? "on" : "off");
    } catch {
      // A browser that keeps nothing has the choice until the page is left.
    }
  });
}

// Captured before an editor sees it: Ctrl+S belongs to the form, wherever the caret is.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.altKey || event.repeat || event.isComposing) return;
    const withCtrl = event.ctrlKey || event.metaKey;
    if (!withCtrl && event.target.closest?.(FIELD)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = withCtrl ? !event.shiftKey && WITH_CTRL[key] : choice?.checked && ALONE[key];
    const element = name && elementOf(name);
    if (!element) return;
    event.preventDefault();
    use(element);
  },
  { capture: true },
);

if (/Mac|iPhone|iPad/.test(navigator.platform)) {
  for (const key of document.querySelectorAll("kbd")) key.textContent = key.textContent.replace("Ctrl", "⌘");
}
