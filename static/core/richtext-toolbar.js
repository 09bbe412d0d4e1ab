// The toolbar of the rich text editor, and its menus.

const ON_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

const showKeys = (button) => {
  if (!button.dataset.keys) return;
  button.title = `${button.title || button.textContent} (${shownKeys(button.dataset.keys)})`;
  button.setAttribute("aria-keyshortcuts", button.dataset.keys.replace("Ctrl", ON_MAC ? "Meta" : "Control"));
};

const shownKeys = (keys) => (ON_MAC ? keys.replace("Ctrl", "⌘").replace("Alt", "⌥").replace("Shift", "⇧") : keys);

// One stop for the tab key; arrows move within.
export const setUpToolbar = (toolbar, press) => {
  const buttons = [...toolbar.querySelectorAll("button")];
  buttons[0].tabIndex = 0;
  buttons.forEach(showKeys);
  const moveTo = (button) => {
    for (const one of buttons) one.tabIndex = one === button ? 0 : -1;
    button.focus();
  };
  toolbar.addEventListener("keydown", (event) => {
    const here = buttons.indexOf(document.activeElement);
    const there = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: -1 }[event.key];
    if (there === undefined || here < 0) return;
    event.preventDefault();
    moveTo(buttons.at(there % buttons.length));
  });
  // The text keeps the focus while the mouse presses a button, so that nobody is told it was left.
  toolbar.addEventListener("mousedown", (event) => event.preventDefault());
  toolbar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.command && button.getAttribute("aria-disabled") !== "true") press(button.dataset.command);
  });
  return { buttons, focus: () => buttons.find((button) => button.tabIndex === 0).focus() };
};

// Each button with a menu opens it: a list of buttons in the layer above the page.
export const setUpMenus = (box, press, isWithin) => {
  for (const menu of box.querySelectorAll("[role=menu]")) {
    const button = box.querySelector(`[data-menu=${menu.dataset.menuOf}]`);
    const all = [...menu.querySelectorAll("button")];
    all.forEach(showKeys);
    const shown = () => all.filter((item) => !item.hidden);
    const open = (isByKeyboard) => {
      for (const item of all) item.hidden = item.dataset.within !== undefined && !isWithin(item.dataset.within);
      menu.showPopover();
      const [at, own] = [button.getBoundingClientRect(), menu.getBoundingClientRect()];
      menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - own.width - 8))}px`;
      menu.style.top = `${at.bottom + own.height + 8 < innerHeight ? at.bottom : Math.max(8, at.top - own.height)}px`;
      // The text keeps the focus while the mouse opens a menu.
      if (isByKeyboard) all[0].focus();
    };
    // The browser closes the menu when anything else is pressed, this button too: its click would open it again.
    let wasOpen = false;
    button.addEventListener("pointerdown", () => {
      wasOpen = menu.matches(":popover-open");
    });
    button.addEventListener("click", (event) => {
      if (wasOpen) menu.hidePopover();
      else open(event.detail === 0);
      wasOpen = false;
    });
    button.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      open(true);
    });
    menu.addEventListener("toggle", ({ newState }) => button.setAttribute("aria-expanded", newState === "open"));
    menu.addEventListener("mousedown", (event) => event.preventDefault());
    menu.addEventListener("keydown", (event) => {
      const items = shown();
      const here = items.indexOf(document.activeElement);
      const there = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key];
      if (event.key === "Tab") {
        button.focus();
        menu.hidePopover();
      }
      if (there === undefined) return;
      event.preventDefault();
      items.at(there % items.length).focus();
    });
    menu.addEventListener("click", ({ target }) => {
      const item = target.closest("button");
      if (!item || item.getAttribute("aria-disabled") === "true") return;
      menu.hidePopover();
      press(item.dataset.command);
    });
  }
};
