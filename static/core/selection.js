// Choosing rows of a list: how many are chosen, and all of them at once.

const boxesOf = (list) => [...list.querySelectorAll(".pick input[name]")];

const show = (list) => {
  const boxes = boxesOf(list);
  const chosen = boxes.filter((box) => box.checked).length;
  for (const count of list.querySelectorAll("[data-selected-count]")) count.textContent = chosen;
  for (const all of list.querySelectorAll("[data-select-all]")) {
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  }
};

const showAll = () => document.querySelectorAll(".list").forEach(show);

document.addEventListener("change", (event) => {
  const list = event.target.closest(".list");
  if (!list) return;
  if (event.target.matches("[data-select-all]")) for (const box of boxesOf(list)) box.checked = event.target.checked;
  show(list);
});
// Rows come and go; a browser that goes back ticks the boxes again after the page is shown.
document.addEventListener("htmx:afterSettle", showAll);
document.addEventListener("htmx:afterRequest", showAll);
addEventListener("pageshow", showAll);
showAll();
