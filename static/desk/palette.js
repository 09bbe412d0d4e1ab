// The palette: Ctrl+K opens it, the arrow keys choose, Enter opens. What was opened last is kept in this browser.

const MOST_RECENT = 10;

const isPlainClick = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

// --- Opened last: entity and key only, never a title, and for each person apart.

const recordHere = () => document.querySelector("[data-recent]")?.dataset.recent;

const memoryOf = (owner) => {
  const place = `fieldhouse-recent-${owner}`;

  const read = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(place));
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  };

  const note = () => {
    const opened = recordHere();
    if (!opened) return;
    const items = [opened, ...read().filter((other) => other !== opened)].slice(0, MOST_RECENT);
    try {
      localStorage.setItem(place, JSON.stringify(items));
    } catch {
      // A browser that keeps nothing has nothing to offer later; everything else works.
    }
  };

  const forget = () => localStorage.removeItem(place);

  return { read, note, forget };
};

// --- The list of options: one of them is chosen, while the focus stays in the field.

const start = (palette) => {
  const form = palette.querySelector("form");
  const input = palette.querySelector("[role=combobox]");
  const list = palette.querySelector("[role=listbox]");
  const memory = memoryOf(palette.dataset.owner);
  // The text that the list answers, and whether Enter was pressed before it did.
  let answered, isEnterWaiting;

  const options = () => [...list.querySelectorAll("[role=option]")];
  const chosen = () => list.querySelector("[aria-selected=true]");

  const choose = (option) => {
    for (const other of options()) other.setAttribute("aria-selected", other === option);
    input.setAttribute("aria-expanded", Boolean(option));
    input.setAttribute("aria-activedescendant", option?.id ?? "");
    option?.scrollIntoView({ block: "nearest" });
  };

  const empty = () => {
    answered = undefined;
    isEnterWaiting = false;
    list.replaceChildren();
    choose(null);
  };

  const open = () => {
    if (palette.open) return;
    empty();
    input.value = "";
    // Nobody looks for the record that is open already.
    form.elements.recent.value = memory.read().filter((opened) => opened !== recordHere()).join(",");
    palette.showModal();
    form.dispatchEvent(new Event("palette-open"));
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest("a[data-shortcut=palette]") || !isPlainClick(event)) return;
    event.preventDefault();
    open();
  });

  input.addEventListener("keydown", (event) => {
    const all = options();
    if (!all.length || !isPlainClick(event) || event.isComposing) return;
    const at = all.indexOf(chosen());
    const last = all.length - 1;
    const steps = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at > 0 ? at - 1 : last, Home: 0, End: last };
    if (!(event.key in steps)) return;
    event.preventDefault();
    choose(all[steps[event.key]]);
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // Whoever types faster than the list follows must not open what stood there before.
    if (input.value === answered) return chosen()?.click();
    isEnterWaiting = true;
    form.dispatchEvent(new Event("palette-open"));
  });

  list.addEventListener("htmx:afterSwap", (event) => {
    answered = event.detail.requestConfig.parameters.q;
    choose(options()[0] ?? null);
    list.scrollTop = 0;
    if (isEnterWaiting && input.value === answered) chosen()?.click();
    isEnterWaiting = false;
  });

  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    form.addEventListener(failure, () => {
      empty();
      document.getElementById("palette-found").textContent = palette.dataset.failed;
    });
  }

  list.addEventListener("click", (event) => {
    if (event.target.closest("[role=option]") && isPlainClick(event)) palette.close();
  });

  memory.note();
  // A new record is one as soon as it was saved.
  document.addEventListener("htmx:oobAfterSwap", memory.note);
  document.getElementById("sign-out-form")?.addEventListener("submit", memory.forget);
};

const palette = document.getElementById("palette");
if (palette) start(palette);
