"""Documents of rich text for tests: by hand and at random."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

Document = dict[str, Any]

# A busy machine is no reason to fail.
unhurried = settings(deadline=None)


def doc(*content: object) -> Document:
    return {"type": "doc", "content": list(content)}


def paragraph(*content: object) -> Document:
    return {"type": "paragraph", "content": list(content)} if content else {"type": "paragraph"}


def text(words: str, *marks: object) -> Document:
    return {"type": "text", "text": words} | ({"marks": list(marks)} if marks else {})


def linked(href: object) -> Document:
    return doc(paragraph(text("here", {"type": "link", "attrs": {"href": href, "title": None}})))


def nested(depth: int) -> Document:
    """A linked text at this depth, the document counted as 1."""
    node = linked("/")["content"][0]
    for _quote in range(depth - 3):
        node = {"type": "blockquote", "content": [node]}
    return doc(node)


def cell(words: str, *, kind: str = "tableCell", **attributes: object) -> dict[str, Any]:
    spans = {"colspan": 1, "rowspan": 1, "colwidth": None}
    return {"type": kind, "attrs": spans | attributes, "content": [paragraph(text(words))]}


def table(*rows: list[dict[str, Any]]) -> dict[str, Any]:
    return doc({"type": "table", "content": [{"type": "tableRow", "content": row} for row in rows]})


ITEM = {"type": "listItem", "content": [paragraph(text("x"))]}
HREFS = ["https://club.example/?a=1&b='2'", "http://x.example", "mailto:a@b.example", "tel:112", "/news"]
words = st.text(
    st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("<>&\"'\t\n"), min_size=1, max_size=20
)
simple_marks = st.lists(st.sampled_from(["bold", "italic", "strike", "underline", "code"]), unique=True)
links = st.none() | st.fixed_dictionaries({"href": st.sampled_from(HREFS)}, optional={"title": words})


@st.composite
def inline(draw: st.DrawFn) -> Document:
    marks = [{"type": name} for name in draw(simple_marks)]
    link = draw(links)
    if link:
        marks.append({"type": "link", "attrs": link})  # type: ignore[dict-item]
    if draw(st.integers(0, 5)) == 0:
        return {"type": "hardBreak"}
    return text(draw(words), *marks)


def holder(kind: str, content: st.SearchStrategy[Any], **attributes: st.SearchStrategy[Any]) -> Any:
    parts = {"type": st.just(kind), "content": content}
    return st.fixed_dictionaries(parts | ({"attrs": st.fixed_dictionaries(attributes)} if attributes else {}))


paragraphs = holder("paragraph", st.lists(inline(), max_size=4))
code = words.map(text)
leaves = (
    paragraphs
    | holder("codeBlock", st.lists(code, max_size=1), language=st.sampled_from([None, "css", "c++"]))
    | holder("heading", st.lists(inline(), max_size=3), level=st.sampled_from([2, 3, 4]))
    | st.just({"type": "horizontalRule"})
    | st.fixed_dictionaries(
        {
            "type": st.just("image"),
            "attrs": st.fixed_dictionaries(
                {"mediaId": st.sampled_from(["m1", "m2"])}, optional={"alt": words}
            ),
        }
    )
    | st.fixed_dictionaries(
        {
            "type": st.just("image"),
            "attrs": st.fixed_dictionaries(
                {"src": st.just("https://host.example/a.png")}, optional={"alt": words, "title": words}
            ),
        }
    )
)


def containers(blocks: st.SearchStrategy[Any]) -> Any:
    items = st.lists(
        st.tuples(paragraphs, st.lists(blocks, max_size=2)).map(
            lambda parts: {"type": "listItem", "content": [parts[0], *parts[1]]}
        ),
        min_size=1,
        max_size=3,
    )
    tasks = st.lists(
        holder("taskItem", paragraphs.map(lambda first: [first]), checked=st.booleans()),
        min_size=1,
        max_size=2,
    )
    spans = {"colspan": st.integers(1, 3), "rowspan": st.integers(1, 3), "colwidth": st.none()}
    in_cells = st.lists(blocks, min_size=1, max_size=2)
    cells = holder("tableCell", in_cells, **spans) | holder("tableHeader", in_cells)
    rows = st.lists(holder("tableRow", st.lists(cells, max_size=2)), min_size=1, max_size=2)
    return (
        holder("taskList", tasks)
        | holder("table", rows)
        | holder("blockquote", st.lists(blocks, min_size=1, max_size=2))
        | holder("bulletList", items)
        | holder("orderedList", items, start=st.integers(0, 99))
    )


def documents() -> st.SearchStrategy[Document]:
    """Valid documents, in whatever order the marks come."""
    blocks: st.SearchStrategy[Any] = leaves
    for _level in range(3):
        blocks = leaves | containers(blocks)
    return st.lists(blocks, min_size=1, max_size=4).map(lambda content: doc(*content))
