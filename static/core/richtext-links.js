// Links of rich text: which addresses may be linked to, links made while typing, and the dialog.

const LONGEST_HREF = 2000;
const INVISIBLE = /[\s\p{C}\p{Z}\\]/u;
const SAFE_HREF = /^(\/(?!\/)|https?:\/\/[^/?#]|mailto:.|tel:.)/i;

export const isSafeHref = (href) => href.length <= LONGEST_HREF && !INVISIBLE.test(href) && SAFE_HREF.test(href);

// People type "example.org" and "me@example.org".
const completed = (typed) => {
  const href = typed.trim();
  if (isSafeHref(href) || !href) return href;
  if (/^[^\s/@:]+@[^\s/@:]+$/.test(href)) return `mailto:${href}`;
  return /^[^\s/:?#]+\.[^\s/:?#]+(:\d+)?([/?#]|$)/.test(href) ? `https://${href}` : href;
};

// As in core/content/richtext/links.py, which links on the server whatever was not linked here.
const TYPED_ADDRESS = /(?<![\w@/.:+%-])((?:https?:\/\/|www\.)[^\s<>"“”„«»]+|[a-z0-9._+-]{1,64}@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+) $/iu;
const BRACKETS = { ")": "(", "]": "[", "}": "{" };
const count = (text, character) => text.split(character).length;
const withoutPunctuation = (address) => {
  const last = address.at(-1);
  const isOpen = last in BRACKETS && count(address, last) > count(address, BRACKETS[last]);
  return ".,;:!?'’‘…*".includes(last) || isOpen ? withoutPunctuation(address.slice(0, -1)) : address;
};

// A blank after an address makes it a link; Undo takes that back.
const autolink = (tiptap, type) =>
  new tiptap.InputRule({
    find: TYPED_ADDRESS,
    handler: ({ state: { tr }, range, match: [, typed] }) => {
      const address = withoutPunctuation(typed);
      const href = completed(address);
      const [start, end] = [range.from, range.from + address.length];
      if (!/\.\p{L}{2}/u.test(address) || !isSafeHref(href) || tr.doc.rangeHasMark(start, end, type)) return null;
      tr.addMark(start, end, type.create({ href, title: null })).removeStoredMark(type);
    },
  });

export const link = (tiptap) =>
  tiptap.Mark.create({
    name: "link",
    inclusive: false,
    keepOnSplit: false,
    exitable: true,
    addAttributes: () => ({ href: {}, title: { default: null } }),
    parseHTML: () => [
      { tag: "a[href]", getAttrs: (element) => isSafeHref(element.getAttribute("href")) && null },
    ],
    renderHTML: ({ HTMLAttributes }) => ["a", { ...HTMLAttributes, rel: "noopener nofollow" }, 0],
    addInputRules() {
      return [autolink(tiptap, this.type)];
    },
  });

export const setUpLinkDialog = (dialog, editor) => {
  const [href, words] = ["[data-link-href]", "[data-link-text]"].map((name) => dialog.querySelector(name));
  const error = dialog.querySelector("[role=alert]");
  const remove = dialog.querySelector("[value=remove]");
  const complain = (isWrong) => {
    error.hidden = !isWrong;
    if (isWrong) href.setAttribute("aria-invalid", "true");
    else href.removeAttribute("aria-invalid");
  };
  const set = (address) => {
    const chain = editor.chain().focus().extendMarkRange("link");
    const mark = { type: "link", attrs: { href: address, title: editor.getAttributes("link").title ?? null } };
    if (editor.isActive("link") || !editor.state.selection.empty) chain.setMark("link", mark.attrs).run();
    else chain.insertContent({ type: "text", text: words.value.trim() || address, marks: [mark] }).run();
  };
  dialog.querySelector("form").addEventListener("submit", (event) => {
    const address = completed(href.value);
    complain(!isSafeHref(address));
    if (error.hidden) return set(address);
    event.preventDefault();
    href.focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target.value === "remove") editor.chain().extendMarkRange("link").unsetMark("link").run();
    if (["remove", "cancel"].includes(event.target.value)) dialog.close();
  });
  dialog.addEventListener("close", () => editor.commands.focus());
  return () => {
    const isLink = editor.isActive("link");
    complain(false);
    href.value = editor.getAttributes("link").href ?? "";
    words.value = "";
    words.closest("[data-link-words]").hidden = isLink || !editor.state.selection.empty;
    remove.hidden = !isLink;
    dialog.showModal();
    href.select();
  };
};
