// The chosen entries of a field, such as records or files: added, removed and moved. The status of the field says what
// happened, and autosave listens to the field.

// `decorate` adds to a new entry what only this kind of field shows; `whenEmpty` gets the focus after the last entry.
export const setUpChosen = (field, chosen, { decorate, whenEmpty }) => {
  const status = field.querySelector("[role=status]");
  const words = field.querySelector("template[data-words]").dataset;
  const blank = field.querySelector("template[data-entry]").content;
  const most = Number(field.dataset.most);

  const say = (sentence, about = "") => (status.textContent = sentence.replace("…", about));
  const entries = () => [...chosen.children];
  const has = (key) => entries().some((entry) => entry.dataset.key === key);

  const showEnds = () => {
    for (const entry of entries()) {
      entry.querySelector("[data-move=up]")?.setAttribute("aria-disabled", entry === chosen.firstElementChild);
      entry.querySelector("[data-move=down]")?.setAttribute("aria-disabled", entry === chosen.lastElementChild);
    }
  };

  const changed = (sentence, about) => {
    showEnds();
    say(sentence, about);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const entryOf = (item) => {
    const entry = blank.cloneNode(true).firstElementChild;
    Object.assign(entry.dataset, { key: item.key, label: item.label });
    entry.querySelector("input").value = item.key;
    entry.querySelector("[data-text]").textContent = item.label;
    for (const button of entry.querySelectorAll("button")) button.ariaLabel += `: ${item.label}`;
    decorate?.(entry, item);
    return entry;
  };

  const add = (item) => {
    if (has(item.key)) return say(words.already);
    if (most === 1) chosen.replaceChildren();
    if (entries().length >= most) return say(words.full);
    chosen.append(entryOf(item));
    changed(words.chosen, item.label);
  };

  const remove = (entry) => {
    const neighbour = entry.nextElementSibling ?? entry.previousElementSibling;
    entry.remove();
    (neighbour?.querySelector("[data-remove]") ?? whenEmpty)?.focus();
    changed(words.removed, entry.dataset.label);
  };

  const move = (entry, button) => {
    if (button.ariaDisabled === "true") return;
    if (button.dataset.move === "up") entry.previousElementSibling.before(entry);
    else entry.nextElementSibling.after(entry);
    button.focus();
    changed(words.moved, entries().indexOf(entry) + 1);
  };

  chosen.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const entry = button?.closest("li");
    if (button?.dataset.move) move(entry, button);
    else if (button) remove(entry);
  });

  // From the plain form to the live one.
  const kept = entries().filter((entry) => entry.dataset.key && entry.querySelector("input").checked);
  chosen.replaceChildren(...kept.map((entry) => entryOf(entry.dataset)));
  field.querySelector("[data-plain]")?.remove();
  showEnds();
  return { add, has, say };
};
