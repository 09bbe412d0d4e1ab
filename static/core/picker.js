// Choose records by searching: the chosen ones as entries, options while typing, a new one in a dialog.

import { setUpChosen } from "./chosen.js";

const isPlainClick = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

const setUp = (picker) => {
  const search = picker.querySelector("[data-pick]");
  const list = picker.querySelector("[role=listbox]");
  const { add, has, say } = setUpChosen(picker, picker.querySelector(".picked"), { whenEmpty: search });

  // --- The list of options: the focus stays in the search box ----------------------------------------

  let active = null;
  const options = () => [...list.querySelectorAll("[role=option]")];
  const activate = (option) => {
    active?.removeAttribute("data-active");
    active = option;
    if (!option) return search.removeAttribute("aria-activedescendant");
    option.dataset.active = "";
    option.scrollIntoView({ block: "nearest" });
    search.setAttribute("aria-activedescendant", option.id);
  };
  const open = (isOpen) => {
    list.hidden = !isOpen;
    search.setAttribute("aria-expanded", isOpen);
    activate(null);
  };
  const askForOptions = () => htmx.trigger(search, "pick");

  const createNew = (text) => {
    const address = picker.querySelector("a[data-create]")?.dataset.create;
    const dialog = picker.querySelector("template[data-dialog]").content.cloneNode(true).firstElementChild;
    // Beside the form, because a form cannot hold another one.
    document.body.append(dialog);
    // Not before: a button that is pressed sooner does nothing, for htmx does not know it yet.
    dialog.addEventListener("htmx:afterSettle", () => dialog.open || dialog.showModal());
    dialog.addEventListener("click", (event) => event.target.closest("[data-close]") && dialog.close());
    dialog.addEventListener("record-created", (event) => {
      add(event.detail);
      search.value = "";
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      search.focus();
    });
    const label = new URLSearchParams({ label: text });
    htmx.ajax("GET", `${address}?${label}`, { source: dialog, target: dialog, swap: "innerHTML" });
  };

  const take = (option) => {
    open(false);
    if (option.dataset.create !== undefined) return createNew(option.dataset.create);
    search.value = "";
    add(option.dataset);
  };

  const step = (by) => {
    const all = options();
    if (list.hidden) return askForOptions();
    activate(all[(all.indexOf(active) + by + all.length + (active || by > 0 ? 0 : 1)) % all.length]);
  };

  const keys = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => !list.hidden && take(active ?? options()[0]),
    Escape: () => (list.hidden ? (search.value = "") : open(false)),
  };
  search.addEventListener("keydown", (event) => {
    if (!keys[event.key] || !isPlainClick(event)) return;
    if (event.key === "Escape" && list.hidden && !search.value) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  // What is searched for is no change of the form. While somebody types, the options are not theirs yet.
  search.addEventListener("input", (event) => {
    event.stopPropagation();
    open(false);
  });
  search.addEventListener("change", (event) => event.stopPropagation());
  search.addEventListener("click", () => list.hidden && askForOptions());
  search.addEventListener("blur", () => open(false));
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) take(option);
  });
  list.addEventListener("htmx:afterSwap", () => {
    for (const [number, option] of options().entries()) {
      option.id = `${list.id}_${number}`;
      option.ariaSelected = has(option.dataset.key);
    }
    say(list.querySelector("template[data-found]")?.content.textContent ?? "");
    open(options().length > 0 && document.activeElement === search);
  });
  picker.querySelector("a[data-create]")?.addEventListener("click", (event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    createNew(search.value);
  });

  // --- From the plain search box to the live one ------------------------------------------------------------

  search.name = "q";
  // The text of the search is not sent with the form.
  search.setAttribute("form", "");
  const attributes = {
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "hx-get": search.dataset.pick,
    "hx-target": `#${CSS.escape(list.id)}`,
    "hx-swap": "innerHTML",
    "hx-trigger": "input delay:250ms, pick",
    "hx-sync": "this:replace",
  };
  for (const [name, value] of Object.entries(attributes)) search.setAttribute(name, value);
  htmx.process(search);
};

const running = new WeakSet();

const startAll = (root) => {
  for (const picker of root.querySelectorAll("[data-picker]:not(:disabled)")) {
    if (running.has(picker)) continue;
    running.add(picker);
    setUp(picker);
  }
};

document.addEventListener("htmx:load", (event) => startAll(event.detail.elt.parentNode ?? document));
startAll(document);
