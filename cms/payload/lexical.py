"""Convert Lexical documents (Payload) to Tiptap documents.

What Tiptap has no word for is locked: a node of a type of its own that holds the Lexical node as JSON, beside
its text. What is lost becomes a note.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from typing import Any, NamedTuple

from cms.payload.lexical_nodes import (
    INLINE,
    LexicalNode,
    TiptapNode,
    children_of,
    fields_of,
    id_of,
    is_rich_text,
    on_one_line,
    own_text,
    pieces,
    text_of,
    texts_in,
    walk,
)
from core.content.richtext import RichTextError, from_plain_text, validate
from core.content.richtext.reading import MARK, fingerprint
from core.content.richtext.schema import (
    HEADING_LEVELS,
    LANGUAGE,
    LONGEST_ALT,
    LONGEST_TITLE,
    MOST_CELLS,
    is_safe_href,
)
from core.content.richtext.text import with_unix_lines

# Takes a record's collection and id in Payload and returns its address here, None if there is none.
LinkTo = Callable[[str, str], str | None]
MediaId = Callable[[str], str | None]

MARKS = {1: "bold", 2: "italic", 4: "strike", 8: "underline", 16: "code"}
# Our schema does not know them: they are kept, and readers see the text alone.
LOCKED_MARKS = {32: "subscript", 64: "superscript", 128: "highlight"}
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
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
    blocks = converter.blocks(children_of(root or {}))
    notes = list(dict.fromkeys(converter.notes))
    if not blocks:
        return Converted(None, notes)
    try:
        return Converted(validate({"type": "doc", "content": blocks}, converter.locked), notes)
    except RichTextError:
        text = "\n\n".join(filter(None, map(text_of, children_of(root or {}))))
        mere_text = validate(from_plain_text(text))
        return Converted(mere_text, [*notes, "the whole text was carried without its layout"])


class _Converter:
    def __init__(self, link_to: LinkTo, media_id: MediaId) -> None:
        self.link_to, self.media_id = link_to, media_id
        self.notes: list[str] = []
        # The fingerprints of the locked nodes and marks.
        self.locked = {fingerprint({"type": name}, MARK) for name in LOCKED_MARKS.values()}
        self.depth = 0

    def note_non_nodes(self, root: LexicalNode) -> None:
        for node in walk(root):
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
                return [{"type": "blockquote", "content": self.blocks(children_of(node)) or [_blank()]}]
            case "list":
                return self._list(node)
            case "horizontalrule":
                return [{"type": "horizontalRule"}]
            case "upload":
                return self._picture(node)
            case "table":
                return self._table(node)
            case "block":
                return [_code_block(fields_of(node)) or self._locked_block(node)]
            case "relationship":
                place = f"{node.get('relationTo', '')} {id_of(node.get('value'))}"
                return [self._locked(node, f"the embedded record {place}")]
        return [self._locked(node, f"“{node.get('type')}”")]

    def _heading(self, node: LexicalNode) -> TiptapNode:
        tag = str(node.get("tag"))
        level = int(tag[1]) if tag in HEADINGS else HEADING_LEVELS[0]
        nearest = min(HEADING_LEVELS, key=lambda each: abs(each - level))
        if nearest != level:
            self.notes.append(f"a heading {level} became a heading {nearest}")
        return self._filled("heading", node) | {"attrs": {"level": nearest}}

    def _list(self, node: LexicalNode) -> list[TiptapNode]:
        is_check = node.get("listType") == "check"
        items: list[TiptapNode] = []

        def add(item: LexicalNode, content: list[TiptapNode]) -> None:
            task = {"type": "taskItem", "attrs": {"checked": item.get("checked") is True}}
            items.append(_item(content) | (task if is_check else {}))

        for child in children_of(node):
            if child.get("type") != "listitem":
                add(child, self.blocks([child]))
                continue
            self._note_layout(child, indent=False)
            content = self.blocks(children_of(child))
            is_nested_list = content and content[0]["type"] in ("bulletList", "orderedList", "taskList")
            # Lexical wraps a nested list in a list item; Tiptap expects it in the item before.
            if is_nested_list and items:
                items[-1]["content"] += content
            else:
                add(child, content)
        if not items:
            return []
        if is_check:
            return [{"type": "taskList", "content": items}]
        if node.get("listType") == "number":
            start = node.get("start")
            attrs = {"start": start if isinstance(start, int) and start > 0 else 1}
            return [{"type": "orderedList", "attrs": attrs, "content": items}]
        return [{"type": "bulletList", "content": items}]

    def _picture(self, node: LexicalNode) -> list[TiptapNode]:
        wanted = id_of(node.get("value"))
        found = self.media_id(wanted) if node.get("relationTo", "media") == "media" else None
        if found is None:
            return self._as_text(node, f"the file {node.get('relationTo', '')} {wanted} was not found")
        self._note_lost_fields(node)
        value = node.get("value")
        alt = fields_of(node).get("alt") or (value.get("alt") if isinstance(value, dict) else "") or ""
        return [{"type": "image", "attrs": {"mediaId": found, "alt": on_one_line(str(alt))[:LONGEST_ALT]}}]

    def _note_lost_fields(self, node: LexicalNode) -> None:
        for name, value in fields_of(node).items():
            quoted = " ".join(texts_in(value))[:LONGEST_QUOTE]
            if name not in ("alt", *BLOCK_KEYS) and quoted:
                self.notes.append(f"a picture was carried without its {name}: “{quoted}”")

    def _table(self, node: LexicalNode) -> list[TiptapNode]:
        rows = [
            {"type": "tableRow", "content": [self._cell(cell) for cell in children_of(row)]}
            for row in children_of(node)
        ]
        return [{"type": "table", "content": rows}] if any(row["content"] for row in rows) else []

    def _cell(self, node: LexicalNode) -> TiptapNode:
        spans = {name.lower(): _span(node.get(name)) for name in ("colSpan", "rowSpan")}
        return {
            "type": "tableHeader" if node.get("headerState") else "tableCell",
            "attrs": spans | {"colwidth": None},
            "content": self.blocks(children_of(node)) or [_blank()],
        }

    def _locked_block(self, node: LexicalNode, *, is_inline: bool = False) -> TiptapNode:
        """A block of Payload, with a quote in the note, so that somebody can rewrite it."""
        fields = {name: value for name, value in fields_of(node).items() if name not in BLOCK_KEYS}
        kind = fields_of(node).get("blockType", "")
        quoted = " ".join(texts_in(fields))[:LONGEST_QUOTE]
        texts = [text_of(value["root"]) for value in fields.values() if is_rich_text(value)]
        return self._locked(
            node,
            f"a block “{kind}”",
            name=str(kind),
            text="\n\n".join(texts),
            quoted=quoted,
            is_inline=is_inline,
        )

    def _locked(
        self,
        node: LexicalNode,
        what: str,
        *,
        name: str = "",
        text: str | None = None,
        quoted: str = "",
        is_inline: bool = False,
    ) -> TiptapNode:
        """A node that no editor knows, with its text for readers and the Lexical node as it was."""
        name = NOT_IN_NAMES.sub("-", name or str(node.get("type")))[:LONGEST_QUOTE]
        text = text_of(node) if text is None else text
        content = list(pieces(text, [])) if is_inline else from_plain_text(text)["content"]
        kept: TiptapNode = {
            "type": f"payload-{name}",
            "attrs": {"lexical": json.dumps(node, ensure_ascii=False)},
        } | ({"content": content} if text else {})
        self._note_lost_files(node)
        self.notes.append(f"{what} has no equivalent and is locked" + (f": “{quoted}”" if quoted else ""))
        self.locked.add(fingerprint(kept))
        return kept

    def _as_text(self, node: LexicalNode, why: str) -> list[TiptapNode]:
        """The plain text of a node that has no equivalent, with a note of why."""
        text = text_of(node)
        self._note_lost_files(node, but=node)
        self.notes.append(f"{why}; its text was carried" if text else f"{why} and was left out")
        return list(from_plain_text(text)["content"]) if text else []

    def _note_lost_files(self, node: LexicalNode, *, but: LexicalNode | None = None) -> None:
        for inner in walk(node):
            if inner.get("type") == "upload" and inner is not but:
                place = f"{inner.get('relationTo', '')} {id_of(inner.get('value'))}"
                self.notes.append(f"the file {place} stood where only text was carried and was left out")

    # --- Text ------------------------------------------------------------------------------------------

    def _filled(self, kind: str, node: LexicalNode) -> TiptapNode:
        content = list(self._inline(children_of(node), []))
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
                    yield from self._inline(children_of(node), self._link(node))
                case "inlineBlock":
                    yield self._locked_block(node, is_inline=True)
                case kind:
                    yield self._locked(node, f"“{kind}” within a line", is_inline=True)

    def _text(self, node: LexicalNode, marks: list[TiptapNode]) -> Iterator[TiptapNode]:
        bits = node.get("format") or 0
        bits = bits if isinstance(bits, int) else 0
        locked = [name for bit, name in LOCKED_MARKS.items() if bits & bit]
        self.notes += [f"{name} text is kept, but not shown as such" for name in locked]
        if node.get("style"):
            self.notes.append("coloured or sized text lost its look")
        own = [{"type": name} for name in [*(name for bit, name in MARKS.items() if bits & bit), *locked]]
        yield from pieces(own_text(node), [*marks, *own])

    def _link(self, node: LexicalNode) -> list[TiptapNode]:
        fields = fields_of(node) or node
        address = self._address(fields)
        if address is None:
            return []
        title = fields.get("title")
        attrs = {"title": on_one_line(title)[:LONGEST_TITLE]} if isinstance(title, str) and title else {}
        return [{"type": "link", "attrs": {"href": address} | attrs}]

    def _address(self, fields: dict[str, Any]) -> str | None:
        if fields.get("linkType") == "internal":
            doc = fields.get("doc")
            target = doc if isinstance(doc, dict) else {}
            collection, key = str(target.get("relationTo", "")), id_of(target.get("value"))
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


def _code_block(fields: dict[str, Any]) -> TiptapNode | None:
    """Payload's own block of code."""
    code, language = fields.get("code"), str(fields.get("language") or "")
    if str(fields.get("blockType")).lower() != "code" or not isinstance(code, str):
        return None
    attrs = {"language": language if LANGUAGE.fullmatch(language) else None}
    content = [{"type": "text", "text": with_unix_lines(code)}] if code else []
    return {"type": "codeBlock", "attrs": attrs} | ({"content": content} if content else {})


def _span(value: object) -> int:
    return min(max(value, 1), MOST_CELLS) if isinstance(value, int) else 1


def _item(content: list[TiptapNode]) -> TiptapNode:
    """A listItem node; the schema requires a paragraph as its first child."""
    begins_well = content and content[0]["type"] == "paragraph"
    return {"type": "listItem", "content": content if begins_well else [_blank(), *content]}


def _blank() -> TiptapNode:
    return {"type": "paragraph"}
