// The menu: which of its groups somebody opened and closed is kept in a cookie, so that the server renders each
// page as it was left, and the current entry is in sight.

const menu = document.getElementById("menu");
const YEAR = 365 * 24 * 3600;

const remember = (details, isOpen) => {
  const { cookie } = menu.dataset;
  const name = details.id.replace("menu-", "");
  const before = document.cookie.split("; ").find((each) => each.startsWith(`${cookie}=`)) ?? "";
  const others = before.slice(cookie.length + 1).split(".").filter((each) => each && each.replace("-", "") !== name);
  const value = [...others, isOpen ? name : `-${name}`].join(".");
  const secure = cookie.startsWith("__Host-") ? "; secure" : "";
  document.cookie = `${cookie}=${value}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
};

// A click, also by key, before it opens or closes the group: the event "toggle" comes too late for whoever goes on at
// once, and also for groups that the server has opened.
menu?.addEventListener("click", ({ target }) => {
  const details = target.closest("summary")?.parentElement;
  if (details) remember(details, !details.open);
});

// Only the menu itself is scrolled, never the page.
const current = menu?.querySelector("[aria-current]");
if (current) {
  const { top, bottom } = menu.getBoundingClientRect();
  const entry = current.getBoundingClientRect();
  if (entry.top < top || entry.bottom > bottom) menu.scrollTop += (entry.top + entry.bottom - top - bottom) / 2;
}
