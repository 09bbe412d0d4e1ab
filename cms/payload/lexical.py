"""Convert Lexical documents (Payload) to Tiptap documents. What cannot be converted becomes a note."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from typing import Any, NamedTuple

from core.content.richtext import RichTextError, from_plain_text, validate
from core.content.richtext.schema import HEADING_LEVELS, LONGEST_ALT, LONGEST_TITLE, is_safe_href
from core.content.richtext.text import with_unix_lines

LexicalNode = dict[str, Any]
TiptapNode = dict[str, Any]
# Takes a record's collection and id in Payload and returns its address here, None if there is none.
LinkTo = Callable[[str, str], str | None]
MediaId = Callable[[str], str | None]

MARKS = {1: "bold", 2: "italic", 4: "strike", 8: "underline"}
LOST_MARKS = {16: "code", 32: "subscript", 64: "superscript", 128: "highlight"}
INLINE = ("text", "linebreak", "tab", "link", "autolink", "inlineBlock")
# Nesting of lists and quotes; well below Python's recursion limit.
DEEPEST = 50
LONGEST_QUOTE = 80
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCK_KEYS = ("id", "blockType", "blockName")


class Converted(NamedTuple):
    """`document` is None if the source is empty or not a Lexical document."""

    document: TiptapNode | None
    notes: list[str]


def convert(lexical: object, *, link_to: LinkTo, media_id: MediaId) -> Converted:
    """A valid document with all of the text, and a note for each change of its look.

    If the result breaks the schema, the plain text is carried instead.
    """
    converter = _Converter(link_to, media_id)
    root = lexical.get("root") if isinstance(lexical, dict) else None
    if lexical and not isinstance(root, dict):
        return Converted(None, ["this is not a Lexical document"])
    converter.note_non_nodes(root or {})
    blocks = converter.blocks(_children(root or {}))
    notes = list(dict.fromkeys(converter.notes))
    if not blocks:
        return Converted(None, notes)
    try:
        return Converted(validate({"type": "doc", "content": blocks}), notes)
    except RichTextError:
        text = "\n\n".join(filter(None, map(_text_of, _children(root or {}))))
        mere_text = validate(from_plain_text(text))
        return Converted(mere_text, [*notes, "the whole text was carried without its layout"])


class _Converter:
    def __init__(self, link_to: LinkTo, media_id: MediaId) -> None:
        self.link_to, self.media_id = link_to, media_id
        self.notes: list[str] = []
        self.depth = 0

    def note_non_nodes(self, root: LexicalNode) -> None:
        for node in _walk(root):
            children = node.get("children")
            for child in children if isinstance(children, list) else ():
                if not isinstance(child, dict):
                    quoted = str(child)[:LONGEST_QUOTE]
                    self.notes.append(f"something that is no part of a document was left out: “{quoted}”")

    # --- Blocks ----------------------------------------------------------------------------------------

    def blocks(self, nodes: Iterable[LexicalNode]) -> list[TiptapNode]:
        """Convert block nodes; inline nodes between blocks get a paragraph of their own."""
        found: list[TiptapNode] = []
        for is_inline, group in groupby(nodes, lambda node: node.get("type") in INLINE):
            if is_inline:
                found.append(self._filled("paragraph", {"children": list(group)}))
            else:
                found += chain.from_iterable(map(self.block, group))
        return found

    def block(self, node: LexicalNode) -> list[TiptapNode]:
        self._note_layout(node)
        self.depth += 1
        try:
            return self._block(node) if self.depth <= DEEPEST else self._as_text(node, "is nested too deeply")
        finally:
            self.depth -= 1

    def _block(self, node: LexicalNode) -> list[TiptapNode]:
        match node.get("type"):
            case "paragraph":
                return [self._filled("paragraph", node)]
            case "heading":
                return [self._heading(node)]
            case "quote":
                return [{"type": "blockquote", "content": self.blocks(_children(node)) or [_blank()]}]
            case "list":
                return self._list(node)
            case "horizontalrule":
                return [{"type": "horizontalRule"}]
            case "upload":
                return self._picture(node)
            case "table":
                return self._table(node)
            case "block":
                self._note_block(node)
                return []
            case "relationship":
                place = f"{node.get('relationTo', '')} {_id_of(node.get('value'))}"
                return self._as_text(node, f"the embedded record {place} has no equivalent")
        return self._as_text(node, f"“{node.get('type')}” has no equivalent")

    def _heading(self, node: LexicalNode) -> TiptapNode:
        tag = str(node.get("tag"))
        level = int(tag[1]) if tag in HEADINGS else HEADING_LEVELS[0]
        nearest = min(HEADING_LEVELS, key=lambda each: abs(each - level))
        if nearest != level:
            self.notes.append(f"a heading {level} became a heading {nearest}")
        return self._filled("heading", node) | {"attrs": {"level": nearest}}

    def _list(self, node: LexicalNode) -> list[TiptapNode]:
        items: list[TiptapNode] = []
        for child in _children(node):
            if child.get("type") != "listitem":
                items += [_item(self.blocks([child]))]
                continue
            content = self._list_item(child, is_check=node.get("listType") == "check")
            is_nested_list = content and content[0]["type"] in ("bulletList", "orderedList")
            # Lexical wraps a nested list in a list item; Tiptap expects it in the item before.
            if is_nested_list and items:
                items[-1]["content"] += content
            else:
                items.append(_item(content))
        if not items:
            return []
        if node.get("listType") == "check":
            self.notes.append("a check list became bullets with their marks")
        if node.get("listType") == "number":
            start = node.get("start")
            attrs = {"start": start if isinstance(start, int) and start > 0 else 1}
            return [{"type": "orderedList", "attrs": attrs, "content": items}]
        return [{"type": "bulletList", "content": items}]

    def _list_item(self, node: LexicalNode, *, is_check: bool) -> list[TiptapNode]:
        self._note_layout(node, indent=False)
        children = list(_children(node))
        if is_check and any(child.get("type") in INLINE for child in children):
            mark = "☑ " if node.get("checked") else "☐ "
            children.insert(0, {"type": "text", "text": mark})
        return self.blocks(children)

    def _picture(self, node: LexicalNode) -> list[TiptapNode]:
        wanted = _id_of(node.get("value"))
        found = self.media_id(wanted) if node.get("relationTo", "media") == "media" else None
        if found is None:
            return self._as_text(node, f"the file {node.get('relationTo', '')} {wanted} was not found")
        self._note_lost_fields(node)
        value = node.get("value")
        alt = _fields(node).get("alt") or (value.get("alt") if isinstance(value, dict) else "") or ""
        return [{"type": "image", "attrs": {"mediaId": found, "alt": _clean(str(alt))[:LONGEST_ALT]}}]

    def _note_lost_fields(self, node: LexicalNode) -> None:
        for name, value in _fields(node).items():
            quoted = " ".join(_texts_in(value))[:LONGEST_QUOTE]
            if name not in ("alt", *BLOCK_KEYS) and quoted:
                self.notes.append(f"a picture was carried without its {name}: “{quoted}”")

    def _table(self, node: LexicalNode) -> list[TiptapNode]:
        self.notes.append("a table became lines of text")
        self._note_lost_files(node)
        rows = [
            " | ".join(" ".join(_text_of(cell).split("\n")) for cell in _children(row))
            for row in _children(node)
        ]
        return list(from_plain_text("\n".join(rows))["content"]) if any(rows) else []

    def _note_block(self, node: LexicalNode) -> None:
        """Note a block that is left out, with a quote, so that somebody can rewrite it."""
        fields = {name: value for name, value in _fields(node).items() if name not in BLOCK_KEYS}
        quoted = " ".join(_texts_in(fields))[:LONGEST_QUOTE]
        held = f": “{quoted}”" if quoted else ""
        self.notes.append(f"a block “{_fields(node).get('blockType', '')}” was left out{held}")

    def _as_text(self, node: LexicalNode, why: str) -> list[TiptapNode]:
        """The plain text of a node that has no equivalent, with a note of why."""
        text = _text_of(node)
        self._note_lost_files(node, but=node)
        self.notes.append(f"{why}; its text was carried" if text else f"{why} and was left out")
        return list(from_plain_text(text)["content"]) if text else []

    def _note_lost_files(self, node: LexicalNode, *, but: LexicalNode | None = None) -> None:
        for inner in _walk(node):
            if inner.get("type") == "upload" and inner is not but:
                place = f"{inner.get('relationTo', '')} {_id_of(inner.get('value'))}"
                self.notes.append(f"the file {place} stood where only text was carried and was left out")

    # --- Text ------------------------------------------------------------------------------------------

    def _filled(self, kind: str, node: LexicalNode) -> TiptapNode:
        content = list(self._inline(_children(node), []))
        return {"type": kind, "content": content} if content else {"type": kind}

    def _inline(self, nodes: Iterable[LexicalNode], marks: list[TiptapNode]) -> Iterator[TiptapNode]:
        for node in nodes:
            match node.get("type"):
                case "text" | "tab":
                    yield from self._text(node, marks)
                case "linebreak":
                    yield {"type": "hardBreak"}
                case "link" | "autolink":
                    # `marks` need not be passed on: Lexical does not nest links.
                    yield from self._inline(_children(node), self._link(node))
                case "inlineBlock":
                    self._note_block(node)
                case kind:
                    self.notes.append(f"“{kind}” within a line has no equivalent")
                    yield from _pieces(_text_of(node), marks)

    def _text(self, node: LexicalNode, marks: list[TiptapNode]) -> Iterator[TiptapNode]:
        bits = node.get("format") or 0
        bits = bits if isinstance(bits, int) else 0
        self.notes += [f"{name} text lost its look" for bit, name in LOST_MARKS.items() if bits & bit]
        if node.get("style"):
            self.notes.append("coloured or sized text lost its look")
        own = [{"type": name} for bit, name in MARKS.items() if bits & bit]
        yield from _pieces(_own_text(node), [*marks, *own])

    def _link(self, node: LexicalNode) -> list[TiptapNode]:
        fields = _fields(node) or node
        address = self._address(fields)
        if address is None:
            return []
        title = fields.get("title")
        attrs = {"title": _clean(title)[:LONGEST_TITLE]} if isinstance(title, str) and title else {}
        return [{"type": "link", "attrs": {"href": address} | attrs}]

    def _address(self, fields: dict[str, Any]) -> str | None:
        if fields.get("linkType") == "internal":
            doc = fields.get("doc")
            target = doc if isinstance(doc, dict) else {}
            collection, key = str(target.get("relationTo", "")), _id_of(target.get("value"))
            address = self.link_to(collection, key)
            if address is None:
                self.notes.append(f"the link to {collection} {key} leads nowhere and was left out")
            return address
        address = str(fields.get("url") or "").strip()
        if is_safe_href(address):
            return address
        if is_safe_href(f"https://{address}") and "." in address and ":" not in address:
            return f"https://{address}"
        self.notes.append(f"the link to “{address[:LONGEST_QUOTE]}” was left out")
        return None

    def _note_layout(self, node: LexicalNode, *, indent: bool = True) -> None:
        if node.get("format") not in (None, "", 0, "left", "start"):
            self.notes.append(f"text aligned “{node['format']}” is no longer")
        if indent and node.get("indent"):
            self.notes.append("indented text is no longer")


def _pieces(text: str, marks: list[TiptapNode]) -> Iterator[TiptapNode]:
    """Text nodes, with a hardBreak for each line end."""
    for number, line in enumerate(with_unix_lines(text).split("\n")):
        if number:
            yield {"type": "hardBreak"}
        if line:
            yield {"type": "text", "text": line} | ({"marks": marks} if marks else {})


def _text_of(node: LexicalNode) -> str:
    """The plain text of a node, each block on a line of its own."""
    text = ""
    for inner in _walk(node):
        is_block = inner.get("type") not in INLINE
        text += ("\n" if is_block and text and not text.endswith("\n") else "") + _own_text(inner)
    return with_unix_lines(text).strip()


def _walk(node: LexicalNode) -> Iterator[LexicalNode]:
    """Every node in document order. Iterative, because it also runs on nodes that are nested too deeply."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(_children(current)))


def _texts_in(value: object) -> Iterator[str]:
    """All texts in the fields of a block, at any depth; rich text as plain text."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield " ".join(text.split())
            case {"root": dict(root)}:
                yield " ".join(_text_of(root).split())
            case dict(fields):
                waiting.extend(reversed(list(fields.values())))
            case list(items):
                waiting.extend(reversed(items))


def _own_text(node: LexicalNode) -> str:
    match node.get("type"):
        case "linebreak":
            return "\n"
        case "tab":
            return "\t"
    text = node.get("text")
    return text if isinstance(text, str) else ""


def _item(content: list[TiptapNode]) -> TiptapNode:
    """A listItem node; the schema requires a paragraph as its first child."""
    begins_well = content and content[0]["type"] == "paragraph"
    return {"type": "listItem", "content": content if begins_well else [_blank(), *content]}


def _blank() -> TiptapNode:
    return {"type": "paragraph"}


def _clean(text: str) -> str:
    return with_unix_lines(text).replace("\n", " ")


def _children(node: LexicalNode) -> list[LexicalNode]:
    children = node.get("children")
    return [child for child in children if isinstance(child, dict)] if isinstance(children, list) else []


def _fields(node: LexicalNode) -> dict[str, Any]:
    fields = node.get("fields")
    return fields if isinstance(fields, dict) else {}


def _id_of(value: object) -> str:
    """The id in a relation: the value is an id or, if the export was populated, the whole record."""
    return str(value.get("id", "") if isinstance(value, dict) else value or "")
