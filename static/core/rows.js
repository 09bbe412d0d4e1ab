// Rows that are added, moved and removed at once; without this module each button sends the form.

const setUp = (rows) => {
  const list = rows.querySelector(".rows-list");
  const add = rows.querySelector("[data-row-add]");
  const status = rows.querySelector(":scope > [role=status]");
  const blank = rows.querySelector(":scope > template[data-row]");
  const words = rows.querySelector(":scope > template[data-words]").dataset;
  const most = Number(rows.dataset.max);
  let nextNumber = list.children.length;

  const say = (sentence, about = "") => (status.textContent = sentence.replace("…", about));
  // Autosave listens to this.
  const tell = () => rows.dispatchEvent(new Event("input", { bubbles: true }));
  const titleOf = (row) => row.querySelector(".row-title").textContent.trim().replace(/\s+/g, " ");

  const show = () => {
    for (const [place, row] of [...list.children].entries()) {
      row.querySelector("[data-number]").textContent = place + 1;
      row.querySelector("[data-row-move=up]").ariaDisabled = row === list.firstElementChild;
      row.querySelector("[data-row-move=down]").ariaDisabled = row === list.lastElementChild;
    }
    add.disabled = list.children.length >= most;
    if (add.disabled) say(words.full);
  };

  // Buttons that send the form would be pressed by Enter in any of its fields.
  const keepFromSending = (root) => {
    for (const button of root.querySelectorAll("[data-row-add], [data-row-move], [data-row-remove]")) button.type = "button";
  };

  const addRow = () => {
    const holder = document.createElement("template");
    holder.innerHTML = blank.innerHTML.replaceAll(rows.dataset.blank, nextNumber++);
    const row = holder.content.firstElementChild;
    keepFromSending(row);
    list.append(row);
    show();
    htmx.process(row);
    htmx.trigger(row, "htmx:load", { elt: row });
    row.querySelector(".field-row :is(input:not([type=hidden]), select, textarea)")?.focus();
    say(words.added, titleOf(row));
    tell();
  };

  const remove = (row) => {
    const title = titleOf(row);
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    show();
    (neighbour?.querySelector("[data-row-remove]") ?? add).focus();
    say(words.removed, title);
    tell();
  };

  const move = (row, button) => {
    if (button.ariaDisabled === "true") return;
    if (button.dataset.rowMove === "up") row.previousElementSibling.before(row);
    else row.nextElementSibling.after(row);
    show();
    button.focus();
    say(words.moved, [...list.children].indexOf(row) + 1);
    tell();
  };

  rows.addEventListener("click", (event) => {
    const button = event.target.closest("[data-row-add], [data-row-move], [data-row-remove]");
    const row = button?.closest("[data-row-fields]");
    if (!row) return button && addRow();
    if (button.dataset.rowMove) move(row, button);
    else remove(row);
  });
  keepFromSending(rows);
  show();
};

const running = new WeakSet();

const startAll = (root) => {
  for (const rows of root.querySelectorAll("[data-rows]:not(:disabled)")) {
    if (running.has(rows)) continue;
    running.add(rows);
    setUp(rows);
  }
};

document.addEventListener("htmx:load", (event) => startAll(event.detail.elt.parentNode ?? document));
startAll(document);
