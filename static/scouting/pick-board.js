// Dragging a team to its place on the board of the team selection; the buttons do the same without it.

let dragged;

const columnAt = (element) => element.closest?.("#selection [data-column]");
const cardsOf = (column) => [...column.querySelectorAll("[data-team]")].filter((card) => card !== dragged);

// Before how many cards of the column the pointer is.
const placeAt = (column, y) =>
  cardsOf(column).filter((card) => {
    const box = card.getBoundingClientRect();
    return box.top + box.height / 2 < y;
  }).length;

const makeDraggable = () => {
  for (const card of document.querySelectorAll("#selection [data-team]")) card.draggable = true;
};

const stop = () => {
  dragged?.classList.remove("dragged");
  document.querySelectorAll(".drop-here").forEach((column) => column.classList.remove("drop-here"));
  dragged = null;
};

document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("#selection [data-team]");
  if (!dragged) return;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", dragged.dataset.team);
  dragged.classList.add("dragged");
});
document.addEventListener("dragover", (event) => {
  const column = dragged && columnAt(event.target);
  for (const each of document.querySelectorAll(".drop-here")) if (each !== column) each.classList.remove("drop-here");
  if (!column) return;
  event.preventDefault();
  column.classList.add("drop-here");
});
document.addEventListener("drop", (event) => {
  const column = dragged && columnAt(event.target);
  if (!column) return;
  event.preventDefault();
  const drop = document.getElementById("selection-drop");
  drop.value = `move:${dragged.dataset.team}:${column.dataset.column}:${placeAt(column, event.clientY)}`;
  stop();
  // A click, because htmx sends the button that was clicked last.
  drop.click();
});
document.addEventListener("dragend", stop);
document.addEventListener("htmx:afterSettle", makeDraggable);

// A tap while the board is on its way waits for the answer: the step is taken on the board that comes back.
const waiting = [];
const board = () => document.getElementById("selection");
const isBusy = () => board()?.ariaBusy === "true";

const takeNextStep = () => {
  if (isBusy() || !waiting.length) return;
  const button = document.getElementById("selection-drop");
  button.value = waiting.shift();
  button.click();
};

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.("#selection button[name=do]");
    if (!button || !isBusy()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push(button.value);
  },
  true,
);
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt === board()) board().ariaBusy = "true";
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt.id !== "selection" || event.detail.successful) return;
  // What was refused or did not arrive is told; steps that were meant for its result are not taken.
  waiting.length = 0;
  if (board()) board().ariaBusy = null;
});
document.addEventListener("htmx:afterSettle", takeNextStep);
makeDraggable();
