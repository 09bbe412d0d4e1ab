// The blocks of rich text that are more than text: tables, tasks, code, pictures elsewhere, and what is locked.
// A locked part is one that the schema does not know (core/content/richtext/reading.py): it keeps its JSON.

const INLINE_HOLDERS = ["paragraph", "heading"];
const LOCKED = ["lockedBlock", "lockedInline", "lockedMark"];
const LANGUAGE = /^[\w+#.-]{1,40}$/;
const MOST_CELLS = 100;

// --- The document as the editor holds it, and as it is stored ---------------------------------------------------

const lock = (part, type) => ({ type, attrs: { json: JSON.stringify(part) } });

const lockAt = (document, path) => {
  const [place, list] = [path.at(-1), path.at(-2)];
  const holder = path.slice(0, -2).reduce((part, step) => part[step], document);
  const type = list === "marks" ? "lockedMark" : INLINE_HOLDERS.includes(holder.type) ? "lockedInline" : "lockedBlock";
  holder[list][place] = lock(holder[list][place], type);
};

const withTypes = (part, known) => {
  if (LOCKED.includes(part.type)) return part;
  const { attrs = {}, content, marks, ...rest } = part;
  const type = part.type === "image" && "src" in attrs && !("mediaId" in attrs) ? "linkedImage" : part.type;
  const names = Object.keys(known(type));
  const of = (isKnown) => Object.entries(attrs).filter(([name]) => (names.includes(name) && name !== "locked") === isKnown);
  const others = of(false);
  const locked = others.length ? { locked: JSON.stringify(Object.fromEntries(others)) } : {};
  return {
    ...rest,
    type,
    attrs: { ...Object.fromEntries(of(true)), ...locked },
    ...(content && { content: content.map((child) => withTypes(child, known)) }),
    ...(marks && { marks: marks.map((mark) => withTypes(mark, known)) }),
  };
};

export const toEditor = (stored, paths, schema) => {
  const document = structuredClone(stored);
  for (const path of paths) lockAt(document, path);
  return withTypes(document, (type) => (schema.nodes[type] ?? schema.marks[type])?.spec.attrs ?? {});
};

export const toStored = (part) => {
  if (LOCKED.includes(part.type)) return JSON.parse(part.attrs.json);
  const { attrs: { locked, ...own } = {}, content, marks, ...rest } = part;
  const attrs = { ...own, ...(locked && JSON.parse(locked)) };
  return {
    ...rest,
    type: part.type === "linkedImage" ? "image" : part.type,
    ...(Object.keys(attrs).length && { attrs }),
    ...(content && { content: content.map(toStored) }),
    ...(marks && { marks: marks.map(toStored) }),
  };
};

// --- What is locked --------------------------------------------------------------------------------------------

const textIn = (part) => part?.text ?? (part?.content ?? []).map?.(textIn).filter(Boolean).join(" ") ?? "";

const element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

// Swaps a block with the one before or after it.
export const moveBlock = (editor, position, step) => {
  const { state, view } = editor;
  const $position = state.doc.resolve(position);
  const [holder, index] = [$position.parent, $position.index()];
  const [node, other] = [holder.maybeChild(index), holder.maybeChild(index + step)];
  if (!node || !other) return false;
  if (!holder.type.validContent(holder.content.replaceChild(index, other).replaceChild(index + step, node))) return false;
  const start = step < 0 ? position - other.nodeSize : position;
  const pair = step < 0 ? [node, other] : [other, node];
  view.dispatch(state.tr.replaceWith(start, start + node.nodeSize + other.nodeSize, pair));
  editor.commands.setNodeSelection(step < 0 ? start : start + other.nodeSize);
  editor.commands.scrollIntoView();
  return true;
};

const lockedBlock = (tiptap, words, seen) =>
  tiptap.Node.create({
    name: "lockedBlock",
    group: "block",
    atom: true,
    draggable: true,
    addAttributes: () => ({ json: { rendered: false } }),
    parseHTML: () => [
      { tag: "div[data-locked]", getAttrs: ({ dataset }) => seen.has(dataset.locked) && { json: dataset.locked } },
    ],
    renderHTML: ({ node }) => ["div", { "data-locked": node.attrs.json }, textIn(JSON.parse(node.attrs.json))],
    addNodeView: () => ({ node, editor, getPos }) => {
      const part = JSON.parse(node.attrs.json);
      const name = `${words.lockedBlock}: ${part?.type ?? "?"}`;
      const button = (text, act) => {
        const made = element("button", { type: "button", class: "button quiet-button", "aria-label": `${text}: ${name}` }, text);
        made.disabled = !editor.isEditable;
        made.addEventListener("click", act);
        return made;
      };
      const dom = element(
        "div",
        { class: "richtext-locked", role: "group", "aria-label": name, contenteditable: "false" },
        element("p", { class: "richtext-locked-name" }, name),
        element("p", { class: "richtext-locked-text" }, textIn(part)),
        element(
          "p",
          { class: "richtext-locked-buttons" },
          button(words.moveUp, () => moveBlock(editor, getPos(), -1)),
          button(words.moveDown, () => moveBlock(editor, getPos(), 1)),
          button(words.remove, () => editor.chain().setNodeSelection(getPos()).deleteSelection().focus().run()),
        ),
      );
      return { dom, stopEvent: ({ target }) => target instanceof HTMLButtonElement };
    },
  });

const lockedInline = (tiptap, words, seen) =>
  tiptap.Node.create({
    name: "lockedInline",
    group: "inline",
    inline: true,
    atom: true,
    addAttributes: () => ({ json: { rendered: false } }),
    parseHTML: () => [
      { tag: "span[data-locked]", getAttrs: ({ dataset }) => seen.has(dataset.locked) && { json: dataset.locked } },
    ],
    renderHTML: ({ node: { attrs } }) => {
      const part = JSON.parse(attrs.json);
      const name = `${words.locked}: ${part?.type ?? "?"}`;
      return ["span", { class: "richtext-locked", "data-locked": attrs.json, title: name }, textIn(part) || name];
    },
  });

const lockedMark = (tiptap, words, seen) =>
  tiptap.Mark.create({
    name: "lockedMark",
    excludes: "",
    inclusive: false,
    addAttributes: () => ({ json: { rendered: false } }),
    parseHTML: () => [
      { tag: "span[data-locked-mark]", getAttrs: ({ dataset }) => seen.has(dataset.lockedMark) && { json: dataset.lockedMark } },
    ],
    renderHTML: ({ mark: { attrs } }) => [
      "span",
      { class: "richtext-marked", "data-locked-mark": attrs.json, title: `${words.locked}: ${JSON.parse(attrs.json)?.type ?? "?"}` },
      0,
    ],
  });

const lockedAttributes = (tiptap, types, seen) =>
  tiptap.Extension.create({
    name: "lockedAttributes",
    addGlobalAttributes: () => [
      {
        types,
        attributes: {
          locked: {
            default: null,
            parseHTML: ({ dataset }) => (seen.has(dataset.lockedAttributes) ? dataset.lockedAttributes : null),
            renderHTML: ({ locked }) => (locked ? { "data-locked-attributes": locked } : {}),
          },
        },
      },
    ],
  });

// --- Tables, tasks, code, pictures elsewhere ---------------------------------------------------------------------

const span = (side) => ({ default: 1, parseHTML: (cell) => Math.min(Math.max(cell[side], 1), MOST_CELLS) });

const cell = (extension) =>
  extension.extend({
    addAttributes() {
      const { colwidth } = this.parent();
      return { colspan: span("colSpan"), rowspan: span("rowSpan"), colwidth: { ...colwidth, rendered: false } };
    },
  });

const table = (tiptap) =>
  tiptap.Table.extend({
    // Tiptap writes widths as styles, which our policy forbids.
    renderHTML: ({ HTMLAttributes }) => ["div", { class: "rich-table" }, ["table", HTMLAttributes, ["tbody", 0]]],
    addNodeView: null,
    // The tab key leaves the editor after the last cell, and adds no row.
    addKeyboardShortcuts() {
      return { ...this.parent?.(), Tab: () => this.editor.commands.goToNextCell() };
    },
  });

const taskList = (tiptap) =>
  tiptap.Node.create({
    name: "taskList",
    group: "block list",
    content: "taskItem+",
    parseHTML: () => [{ tag: "ul.tasks", priority: 60 }],
    renderHTML: ({ HTMLAttributes }) => ["ul", { ...HTMLAttributes, class: "tasks" }, 0],
  });

const taskItem = (tiptap, words) =>
  tiptap.Node.create({
    name: "taskItem",
    content: "paragraph block*",
    defining: true,
    addAttributes: () => ({
      checked: {
        default: false,
        keepOnSplit: false,
        parseHTML: (item) => item.querySelector("input")?.hasAttribute("checked") ?? false,
        rendered: false,
      },
    }),
    parseHTML: () => [{ tag: "ul.tasks > li", priority: 60 }],
    renderHTML: ({ node, HTMLAttributes }) => [
      "li",
      HTMLAttributes,
      ["input", { type: "checkbox", ...(node.attrs.checked && { checked: "" }) }],
      ["div", 0],
    ],
    addKeyboardShortcuts() {
      return {
        Enter: () => this.editor.commands.splitListItem(this.name),
        Tab: () => this.editor.commands.sinkListItem(this.name),
        "Shift-Tab": () => this.editor.commands.liftListItem(this.name),
      };
    },
    addNodeView: () => ({ node, editor, getPos }) => {
      const box = element("input", { type: "checkbox", contenteditable: "false" });
      const contentDOM = element("div", {});
      const show = (task) => {
        box.checked = task.attrs.checked;
        box.ariaLabel = `${words.done}: ${task.textContent}`;
        box.disabled = !editor.isEditable;
      };
      show(node);
      // The form hears of it from the hidden field.
      box.addEventListener("change", (event) => {
        event.stopPropagation();
        editor.view.dispatch(editor.state.tr.setNodeAttribute(getPos(), "checked", box.checked));
      });
      return {
        dom: element("li", {}, box, contentDOM),
        contentDOM,
        stopEvent: ({ target }) => target === box,
        ignoreMutation: (mutation) => !contentDOM.contains(mutation.target) && mutation.type !== "selection",
        update: (task) => task.type.name === "taskItem" && (show(task), true),
      };
    },
  });

const codeBlock = (tiptap) =>
  tiptap.CodeBlock.extend({
    addAttributes() {
      const { language } = this.parent();
      const known = (name) => (LANGUAGE.test(name) ? name : null);
      return { language: { ...language, parseHTML: (pre) => known(language.parseHTML(pre)) } };
    },
  });

const linkedImage = (tiptap) =>
  tiptap.Node.create({
    name: "linkedImage",
    group: "block",
    atom: true,
    draggable: true,
    addAttributes: () =>
      Object.fromEntries(
        ["src", "alt", "title"].map((name) => [
          name,
          {
            ...(name !== "src" && { default: null }),
            parseHTML: ({ dataset }) => dataset[name] ?? null,
            renderHTML: (attrs) => (attrs[name] === null ? {} : { [`data-${name}`]: attrs[name] }),
          },
        ]),
      ),
    parseHTML: () => [{ tag: "figure[data-src]", getAttrs: ({ dataset }) => /^https:\/\/\S+$/i.test(dataset.src) && null }],
    // Our policy does not let the browser load it.
    renderHTML: ({ node: { attrs }, HTMLAttributes }) => ["figure", HTMLAttributes, ["span", attrs.alt || attrs.title || attrs.src]],
  });

// `seen` are the locked parts and attributes of this document: pasted HTML brings no others.
export const marks = (tiptap, words, seen) => [tiptap.Code.extend({ excludes: "code" }), lockedMark(tiptap, words, seen)];

export const blocks = (tiptap, words, seen) => [
  codeBlock(tiptap),
  table(tiptap),
  tiptap.TableRow,
  cell(tiptap.TableHeader),
  cell(tiptap.TableCell),
  taskList(tiptap),
  taskItem(tiptap, words),
  linkedImage(tiptap),
  lockedBlock(tiptap, words, seen),
  lockedInline(tiptap, words, seen),
];

export const withLockedAttributes = (tiptap, extensions, seen) => {
  const isOurs = ({ type, name }) => ["node", "mark"].includes(type) && !["doc", "text", ...LOCKED].includes(name);
  return [...extensions, lockedAttributes(tiptap, extensions.filter(isOurs).map(({ name }) => name), seen)];
};

// Everything locked in a document as the editor holds it.
export const lockedIn = (part) => [
  ...[part.attrs?.json, part.attrs?.locked].filter(Boolean),
  ...[...(part.content ?? []), ...(part.marks ?? [])].flatMap(lockedIn),
];
