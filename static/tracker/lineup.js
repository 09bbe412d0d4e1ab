// Putting a line-up together: dragging on a desktop, and buttons that need no page of their own.
// Without this module each button sends the form, which comes back in the new order.

const form = () => document.getElementById("lineup");
const list = (name) => document.getElementById(name);
const rowOf = (element) => element.closest?.("#lineup .lineup-row");
const isIn = (row) => row.parentElement.id === "order";
const words = (text, row) =>
  text.replace("%(name)s", row.dataset.name).replace("%(place)s", [...row.parentElement.children].indexOf(row) + 1);

const show = () => {
  for (const row of document.querySelectorAll("#lineup .lineup-row")) {
    row.querySelector("input[name=order]").disabled = !isIn(row);
    row.querySelector("[data-place]").textContent = isIn(row) ? [...row.parentElement.children].indexOf(row) + 1 : "";
  }
  const count = list("order-count");
  count.textContent = count.dataset.words.replace("%(count)s", list("order").children.length);
};

const say = (row) => {
  list("lineup-told").textContent = words(isIn(row) ? form().dataset.moved : form().dataset.out, row);
  // What is not saved yet asks before it is left.
  form().dispatchEvent(new Event("input", { bubbles: true }));
};

const isFull = () => list("order").children.length >= Number(form().dataset.most);

const press = {
  up: (row) => row.previousElementSibling?.before(row),
  down: (row) => row.nextElementSibling?.after(row),
  out: (row) => list("bench").prepend(row),
  in: (row) => isFull() || list("order").append(row),
};
// The button that is there after the press, where the pressed one is not.
const focusAfter = { up: "up", down: "down", out: "in", in: "up" };

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#lineup button[name=do]");
  if (!button) return;
  event.preventDefault();
  const row = rowOf(button);
  const [verb] = button.value.split(":");
  press[verb](row);
  show();
  document.getElementById(`${focusAfter[verb]}-${row.dataset.player}`).focus();
  say(row);
});

let dragged;

document.addEventListener("dragstart", (event) => {
  dragged = rowOf(event.target);
  if (!dragged) return;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", dragged.dataset.name);
  dragged.classList.add("dragged");
});
document.addEventListener("dragover", (event) => {
  const target = dragged && event.target.closest?.("#order, #bench");
  if (!target) return;
  event.preventDefault();
  if (target.id === "order" && !isIn(dragged) && isFull()) return;
  const after = [...target.children].find((row) => {
    const box = row.getBoundingClientRect();
    return row !== dragged && event.clientY < box.top + box.height / 2;
  });
  target.insertBefore(dragged, after ?? null);
  show();
});
document.addEventListener("drop", (event) => {
  if (dragged) event.preventDefault();
});
document.addEventListener("dragend", () => {
  if (!dragged) return;
  dragged.classList.remove("dragged");
  say(dragged);
  dragged = null;
});

for (const row of document.querySelectorAll("#lineup .lineup-row:not([data-locked])")) row.draggable = true;
