// A table that is shown as cards stays a table for screen readers: with another display, some browsers forget it.
// Here and not in the pages, because the roles of 25 rows take 2 KB.

const ROLES = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row", th: "columnheader", td: "cell" };
const PARTS = "table.cards, .cards :is(thead, tbody, tr, th, td)";

const addRoles = (root) => {
  for (const part of [root, ...root.querySelectorAll(PARTS)])
    if (part.matches(PARTS)) part.setAttribute("role", ROLES[part.localName]);
};

addRoles(document.body);
document.addEventListener("htmx:load", (event) => addRoles(event.detail.elt));
