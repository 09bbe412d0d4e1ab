// Around every page: the drawer with the menu, small menus and sheets that close by themselves, the choice of colours.

const menu = document.getElementById("menu");
const isWide = matchMedia("(width >= 64rem)");

// While the drawer is open nothing behind it can be reached; it closes before the focus goes back to its button.
menu?.addEventListener("beforetoggle", (event) => {
  for (const element of document.querySelectorAll(".top-bar, .page, .skip-link")) element.inert = event.newState === "open";
});
menu?.addEventListener("toggle", (event) => {
  if (event.newState === "open") (menu.querySelector("[aria-current]") ?? menu.querySelector("a")).focus();
});
isWide.addEventListener("change", () => menu?.matches(":popover-open") && menu.hidePopover());

// Of tabs that do not fit beside each other the one that is open is in sight.
const showOpenTabs = () => {
  for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
    const row = tab.closest(".tabs");
    row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }
};
showOpenTabs();
document.addEventListener("htmx:load", showOpenTabs);

const openMenus = () => document.querySelectorAll("details[data-light-dismiss][open]");

const closeMenusOutside = (event) => {
  for (const details of openMenus()) if (!details.contains(event.target)) details.open = false;
};
document.addEventListener("pointerdown", closeMenusOutside);
document.addEventListener("focusin", closeMenusOutside);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const details of openMenus()) {
    if (details.contains(document.activeElement)) details.querySelector("summary").focus();
    details.open = false;
  }
});

// The filters of a list are a sheet on a phone: it closes when they are applied, and when the focus goes on to the page.
const openSheet = () => document.querySelector(".filter-sheet:popover-open");
document.addEventListener("submit", () => openSheet()?.hidePopover());
document.addEventListener("focusin", ({ target }) => {
  if (!target.closest(".filter-sheet")) openSheet()?.hidePopover();
});

// htmx sends the choice; the page follows at once and nothing that was typed is lost by loading it again.
document.getElementById("theme")?.addEventListener("submit", (event) => {
  document.documentElement.dataset.theme = event.submitter.value;
  for (const button of event.target.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", button.value === event.submitter.value);
  }
});

// htmx knows which button sent a form only when it stands inside it; one of the palette, or beside a title, does not.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const { submitter } = detail.triggeringEvent ?? {};
  if (submitter?.name && !detail.elt.contains(submitter)) detail.parameters[submitter.name] = submitter.value;
});
