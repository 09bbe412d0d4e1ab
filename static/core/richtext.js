// Rich text: puts a Tiptap editor over the textarea and keeps its document as JSON in the hidden field.
// The schema is that of core/content/richtext/schema.py. Without this module the textarea works on its own.

import { blocks, lockedIn, marks, moveBlock, toEditor, toStored, withLockedAttributes } from "./richtext-blocks.js";
import { isSafeHref, link, setUpLinkDialog } from "./richtext-links.js";
import { setUpMenus, setUpToolbar } from "./richtext-toolbar.js";

// All but tab and new line.
const CONTROL_CHARACTERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

const withoutControlCharacters = (text) => text.replace(/\r\n?/g, "\n").replace(CONTROL_CHARACTERS, " ");

// The policy of our pages forbids styles and handlers, even while pasted HTML is only being read.
const harmless = (html) =>
  withoutControlCharacters(html)
    .replace(/<style[^]*?<\/style>/gi, "")
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, " data-style=").replace(/\son\w+\s*=/gi, " data-on="));

// Other programs write their formats as styles.
const fromStyle = (extension, tags, style) =>
  extension.extend({
    parseHTML: () => [
      ...tags.map((tag) => ({ tag })),
      {
        tag: "span[data-style]",
        consuming: false,
        getAttrs: (element) => style.test(element.dataset.style) && null,
      },
    ],
  });

const orderedList = (tiptap) =>
  tiptap.OrderedList.extend({
    addAttributes: () => ({ start: { default: 1, parseHTML: (element) => element.start } }),
    addInputRules() {
      return [
        tiptap.wrappingInputRule({
          find: /^(\d{1,6})\.\s$/,
          type: this.type,
          getAttributes: (found) => ({ start: Number(found[1]) }),
        }),
      ];
    },
  });

const image = (tiptap, addresses) =>
  tiptap.Node.create({
    name: "image",
    group: "block",
    atom: true,
    draggable: true,
    addAttributes: () => ({
      mediaId: { parseHTML: (element) => element.dataset.mediaId, renderHTML: () => ({}) },
      alt: { default: "", parseHTML: (element) => element.dataset.alt ?? "", renderHTML: () => ({}) },
    }),
    parseHTML: () => [{ tag: "figure[data-media-id]" }],
    renderHTML({ node: { attrs } }) {
      const src = addresses[attrs.mediaId];
      const picture = src ? ["img", { src, alt: attrs.alt }] : ["span", attrs.alt || attrs.mediaId];
      return ["figure", { "data-media-id": attrs.mediaId, "data-alt": attrs.alt }, picture];
    },
  });

const extensionsFrom = (tiptap, { addresses, shortcuts, words, seen }) => withLockedAttributes(tiptap, [
  tiptap.Document,
  tiptap.Paragraph,
  tiptap.Text,
  link(tiptap),
  // Google Docs wraps everything in a <b> that is not bold.
  fromStyle(tiptap.Bold, ["strong", "b:not([data-style*='font-weight:normal'])"], /font-weight:\s*(bold|[6-9]00)/),
  fromStyle(tiptap.Italic, ["em", "i"], /font-style:\s*italic/),
  fromStyle(tiptap.Strike, ["s", "del", "strike"], /text-decoration[a-z-]*:\s*line-through/),
  tiptap.Underline,
  ...marks(tiptap, words, seen),
  tiptap.Heading.configure({ levels: [2, 3, 4] }),
  tiptap.BulletList,
  orderedList(tiptap),
  tiptap.ListItem,
  tiptap.Blockquote,
  tiptap.HorizontalRule,
  // Ctrl+Enter belongs to the form.
  tiptap.HardBreak.extend({
    addKeyboardShortcuts() {
      return { "Shift-Enter": () => this.editor.commands.setHardBreak() };
    },
  }),
  image(tiptap, addresses),
  ...blocks(tiptap, words, seen),
  tiptap.UndoRedo,
  tiptap.Gapcursor,
  tiptap.Extension.create({ name: "shortcuts", addKeyboardShortcuts: () => shortcuts }),
], seen);

// Ctrl+A selects the document itself, which nothing can be lifted out of; this selects its text instead.
const withinText = (chain, editor) => {
  const { from, to } = editor.state.selection;
  return editor.state.selection.toJSON().type === "all" ? chain.setTextSelection({ from, to }) : chain;
};

const heading = (level) => ({
  run: (chain) => chain.toggleHeading({ level }),
  isOn: (editor) => editor.isActive("heading", { level }),
});

const COMMANDS = {
  bold: { run: (chain) => chain.toggleBold(), isOn: (editor) => editor.isActive("bold") },
  italic: { run: (chain) => chain.toggleItalic(), isOn: (editor) => editor.isActive("italic") },
  underline: { run: (chain) => chain.toggleUnderline(), isOn: (editor) => editor.isActive("underline") },
  strike: { run: (chain) => chain.toggleStrike(), isOn: (editor) => editor.isActive("strike") },
  link: { isOn: (editor) => editor.isActive("link") },
  heading2: heading(2),
  heading3: heading(3),
  heading4: heading(4),
  bulletList: { run: (chain) => chain.toggleBulletList(), isOn: (editor) => editor.isActive("bulletList") },
  orderedList: { run: (chain) => chain.toggleOrderedList(), isOn: (editor) => editor.isActive("orderedList") },
  blockquote: { run: (chain, editor) => withinText(chain, editor).toggleBlockquote(), isOn: (editor) => editor.isActive("blockquote") },
  rule: { run: (chain) => chain.setHorizontalRule() },
  code: { run: (chain) => chain.toggleCode(), isOn: (editor) => editor.isActive("code") },
  codeBlock: { run: (chain) => chain.toggleCodeBlock(), isOn: (editor) => editor.isActive("codeBlock") },
  taskList: { run: (chain) => chain.toggleList("taskList", "taskItem"), isOn: (editor) => editor.isActive("taskList") },
  insertTable: { run: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }) },
  ...Object.fromEntries(
    ["addRowBefore", "addRowAfter", "addColumnBefore", "addColumnAfter"]
      .concat(["toggleHeaderRow", "deleteRow", "deleteColumn", "deleteTable"])
      .map((name) => [name, { run: (chain) => chain[name]() }]),
  ),
  image: {},
  undo: { run: (chain) => chain.undo(), isPossible: (editor) => editor.can().undo() },
  redo: { run: (chain) => chain.redo(), isPossible: (editor) => editor.can().redo() },
};

// As from_plain_text in core/content/richtext/text.py.
const paragraphs = (text) => ({
  type: "doc",
  content: text.split(/\n[ \t]*\n\s*/).map((block) => ({
    type: "paragraph",
    content: block
      .split("\n")
      .flatMap((line) => [{ type: "hardBreak" }, { type: "text", text: line }])
      .filter((node, index) => index && node.text !== ""),
  })),
});

// The document as the editor holds it; undefined if its schema would drop parts of it: then the textarea stays.
const contentFrom = (tiptap, extensions, stored, locked) => {
  const schema = tiptap.getSchema(extensions);
  try {
    const content = toEditor(stored, locked, schema);
    schema.nodeFromJSON(content).check();
    return content;
  } catch {
    return undefined;
  }
};

const label = (textarea) => {
  const element = document.querySelector(`label[for="${textarea.id}"]`);
  if (!element) return { "aria-label": textarea.name };
  element.id ||= `${textarea.id}_label`;
  return { "aria-labelledby": element.id };
};

const start = (field, tiptap) => {
  const textarea = field.querySelector("textarea");
  const kept = field.querySelector("input[type=hidden]");
  const addresses = JSON.parse(field.dataset.images || "{}");
  // Whoever began to write before this module came keeps what they wrote.
  const wasTyped = textarea.value !== textarea.defaultValue;
  // The server puts a changed text into the document, with all blocks that the textarea does not show.
  if (wasTyped && textarea.defaultValue) return;
  let stored;
  try {
    stored = wasTyped || !kept.value ? paragraphs(textarea.value) : JSON.parse(kept.value);
  } catch {
    return;
  }

  let openLinkDialog, toolbar, insertImage;
  // Whoever uploads pictures listens to this event, prevents its default and calls `insert` for each.
  const takeFiles = ({ files }) =>
    files.length > 0 &&
    !field.dispatchEvent(
      new CustomEvent("richtext:files", { bubbles: true, cancelable: true, detail: { files, insert: insertImage } }),
    );
  const focusToolbar = () => (toolbar.focus(), true);
  const template = field.querySelector("template");
  const moveSelected = (step) => () => {
    const { $from, node } = editor.state.selection;
    return moveBlock(editor, node?.isBlock || !$from.depth ? $from.pos : $from.before(1), step);
  };
  const seen = new Set();
  const extensions = extensionsFrom(tiptap, {
    addresses,
    seen,
    words: template.content.querySelector(".richtext-box").dataset,
    shortcuts: {
      "Mod-Shift-k": () => (openLinkDialog(), true),
      "Alt-F10": focusToolbar,
      "Alt-ArrowUp": moveSelected(-1),
      "Alt-ArrowDown": moveSelected(1),
    },
  });
  const locked = JSON.parse(field.dataset.locked);
  const content = locked && contentFrom(tiptap, extensions, stored, locked);
  if (!content) return;
  for (const json of lockedIn(content)) seen.add(json);

  const parts = template.content.cloneNode(true);
  const [box, dialog] = [parts.querySelector(".richtext-box"), parts.querySelector("dialog")];
  const bar = box.querySelector("[role=toolbar]");
  if (!field.dataset.mediaLibrary) bar.querySelector("[data-command=image]").remove();
  const hadFocus = document.activeElement === textarea;

  const describedBy = (textarea.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .filter((id) => id && id !== `${textarea.id}_plain`)
    .join(" ");
  // The toolbar sticks to the upper edge, beneath other bars: what is written must not hide behind them.
  const bars = getComputedStyle(document.documentElement);
  const [top, bottom] = ["--sticky-top", "--sticky-bottom"].map((name) => parseFloat(bars.getPropertyValue(name)));
  const covered = { top: top + 70, bottom: bottom + 20, left: 0, right: 0 };
  const editor = new tiptap.Editor({
    element: box,
    injectCSS: false,
    editable: !textarea.disabled,
    extensions,
    content,
    editorProps: {
      attributes: {
        id: `${textarea.id}_editor`,
        class: "rich-text",
        role: "textbox",
        "aria-multiline": "true",
        ...label(textarea),
        ...(describedBy && { "aria-describedby": describedBy }),
        ...(textarea.getAttribute("aria-invalid") && { "aria-invalid": "true" }),
      },
      scrollMargin: covered,
      scrollThreshold: covered,
      transformPastedText: withoutControlCharacters,
      transformPastedHTML: harmless,
      handleDrop: (_view, event, _slice, isMoved) => !isMoved && takeFiles(event.dataTransfer),
      // An address pasted over selected words makes them a link.
      handlePaste: (view, event) => {
        if (takeFiles(event.clipboardData)) return true;
        const text = event.clipboardData.getData("text/plain").trim();
        if (view.state.selection.empty || !isSafeHref(text)) return false;
        return editor.commands.setMark("link", { href: text, title: null });
      },
    },
  });

  // The form hears of a change when the hidden field has it, and only once.
  box.addEventListener("input", (event) => event.stopPropagation());
  const tell = (name) => kept.dispatchEvent(new Event(name, { bubbles: true }));
  const keep = () => {
    kept.value = JSON.stringify(toStored(editor.getJSON()));
  };
  let isChanged = false;
  editor.on("update", () => {
    keep();
    isChanged = true;
    tell("input");
  });
  editor.on("blur", () => {
    if (isChanged) tell("change");
    isChanged = false;
  });

  openLinkDialog = setUpLinkDialog(dialog, editor);
  insertImage = ({ mediaId, alt = "", src }) => {
    if (src) addresses[mediaId] = src;
    editor.chain().focus().insertContent({ type: "image", attrs: { mediaId, alt } }).run();
  };
  // Whoever shows the media library listens to this event and calls `insert`.
  const askForImage = () =>
    field.dispatchEvent(
      new CustomEvent("richtext:image", {
        bubbles: true,
        detail: { library: field.dataset.mediaLibrary, insert: insertImage },
      }),
    );
  const press = (name) => {
    if (!editor.isEditable) return;
    if (name === "link") openLinkDialog();
    else if (name === "image") askForImage();
    else COMMANDS[name].run(editor.chain().focus(), editor).run();
  };
  toolbar = setUpToolbar(bar, press);
  setUpMenus(box, press, (type) => editor.isActive(type));
  const show = () => {
    for (const button of box.querySelectorAll("[data-command]")) {
      const { isOn, isPossible = () => true } = COMMANDS[button.dataset.command];
      if (isOn) button.setAttribute(button.role?.startsWith("menu") ? "aria-checked" : "aria-pressed", isOn(editor));
      button.setAttribute("aria-disabled", !editor.isEditable || !isPossible(editor));
    }
  };
  editor.on("transaction", show);
  show();

  bar.setAttribute("aria-controls", `${textarea.id}_editor`);
  const toText = (event) => {
    event.preventDefault();
    editor.commands.focus();
  };
  const labels = [...textarea.labels];
  for (const element of labels) element.addEventListener("click", toText);
  // A disabled textarea is not sent: that tells the server to take the document.
  textarea.hidden = true;
  textarea.disabled = true;
  field.querySelector(`#${CSS.escape(textarea.id)}_plain`).hidden = true;
  textarea.after(box);
  document.body.append(dialog);
  if (wasTyped) keep();
  if (hadFocus) editor.commands.focus("end");

  return () => {
    editor.destroy();
    dialog.remove();
    for (const element of labels) element.removeEventListener("click", toText);
  };
};

const running = new Map();

const stop = (field) => {
  running.get(field)?.();
  running.delete(field);
};

const startAll = async (root) => {
  const fields = [...root.querySelectorAll("[data-richtext]")].filter((field) => !running.has(field));
  for (const field of fields) {
    running.set(field, undefined);
    const tiptap = await import(field.dataset.editor);
    if (field.isConnected) running.set(field, start(field, tiptap));
    else running.delete(field);
  }
};

document.addEventListener("htmx:load", (event) => startAll(event.detail.elt.parentNode ?? document));
document.addEventListener("htmx:beforeCleanupElement", (event) => stop(event.target));
startAll(document);
