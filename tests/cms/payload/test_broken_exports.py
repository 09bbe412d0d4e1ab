"""`manage.py import_payload`: what cannot be read is a problem of its own, and the rest comes over."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from cms.news.repository import news
from cms.payload.document import our_id
from cms.roles.repository import roles
from core.dynamo.faults import FaultProxy, Faults
from tests.cms.payload.exports import (
    article,
    brought,
    counts,
    doc,
    lexical,
    part,
    run,
    run_with_problems,
    write,
)
from tests.cms.payload.imported import ids_here


def test_a_folder_without_an_export_is_an_error_of_one_sentence(tmp_path):
    with pytest.raises(CommandError, match=r"holds no export: there is no file such as news.json.$"):
        call_command("import_payload", str(tmp_path))


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'"text"', b'{"docs": 5}', b"[" * 100_000, b"null"])
def test_a_file_that_is_not_json_is_a_problem_and_the_others_come(folder, content):
    write(folder, roles=[doc(1, name="Trainer")])
    (folder / "news.json").write_bytes(content)

    lines = run_with_problems(folder)

    (problem,) = part(lines, "Problems")
    assert problem.startswith("news.json is ")
    assert brought(roles, "roles", 1).name == "Trainer"


def test_the_answer_of_find_and_a_bare_list_are_both_read(folder):
    write(folder, roles=[doc(1, name="Trainer")])
    (folder / "news.json").write_text(json.dumps([article(2)]), encoding="utf-8-sig")

    run(folder)

    assert brought(roles, "roles", 1).name == "Trainer"
    assert brought(news, "news", 2).title == "Derby"


def test_broken_documents_are_problems_and_the_others_come(folder):
    write(
        folder,
        news=[
            *(7, None, {"title": "Ohne Id"}, article(1, title=None), article(2, title=["Liste"])),
            *(article(3, "x" * 201), article(4, "Nur\ud83dhalb"), article(5, "Null\x00"), article(6)),
            *(article(6, "Noch einmal"), article(8, deletedAt="2025-01-01T00:00:00.000Z")),
            *(article(9, "Ohne Zeiten", createdAt="gestern", publishedDate=5), article("Id\ud83d")),
        ],
    )

    lines = run_with_problems(folder)

    assert counts(lines, "news") == [2, 0, 1, 5, 0]
    assert ids_here() == {our_id("news", key) for key in ("6", "9")}
    assert part(lines, "Problems") == [
        "news: document 1 of the file has no id",
        "news: document 2 of the file has no id",
        "news: document 3 of the file has no id",
        "news: document 10 of the file has the id 6, as another one before it",
        "news: document 13 of the file has an id with half a character: “Id\\ud83d”",
        "news 1: refused: “title”: This field is required.",
        "news 2: refused: “title”: This field is required.",
        f"news 3 “{'x' * 80}…”: refused: “title”: Ensure this value has at most 200 characters (it has 201).",
        "news 4 “Nur\\ud83dhalb”: refused: This cannot be read or saved as it is.",
        "news 5 “Null\x00”: refused: “title”: Null characters are not allowed.",
    ]
    assert 'news 2: “title” is not a text and was left out: “["Liste"]”' in part(lines, "Notes")
    assert "news 8 “Derby”: left out: it is in Payload's trash" in part(lines, "Notes")
    assert "news 9 “Ohne Zeiten”: “createdAt” is not a time and was left out: “gestern”" in part(
        lines, "Notes"
    )


def test_an_article_that_is_too_large_is_a_problem_of_its_own(folder):
    write(folder, news=[article(1, content=lexical(*["Wort " * 2000] * 60)), article(2, "Zwei")])

    lines = run_with_problems(folder)

    assert part(lines, "Problems") == [
        "news 1 “Derby”: refused: This text is too long. Shorten it or split it in two."
    ]
    assert ids_here() == {our_id("news", "2")}


def test_relations_of_the_wrong_kind_are_noted(folder):
    odd: list[Any] = [None, True, {}, {"relationTo": "media", "value": 9}, ["a"], 9, "9"]
    write(folder, news=[article(1, images=odd, authors="u9")])

    lines = run(folder)

    assert brought(news, "news", 1).image_ids == []
    assert part(lines, "Notes")[1:] == [
        "news 1 “Derby”: “authors” names the user u9, who is not in the export",
        "news 1 “Derby”: “images” names media true, which is not here",
        "news 1 “Derby”: “images” names media {}, which is not here",
        "news 1 “Derby”: “images” names media 9, which is not here",
        'news 1 “Derby”: “images” names media ["a"], which is not here',
    ]


def test_an_outage_ends_the_import_with_a_sentence(folder, proxy: FaultProxy):
    write(folder, roles=[doc(1, name="Trainer")])
    proxy.faults = Faults(error=1)

    with pytest.raises(CommandError, match=r"^The database is not responding"):
        run(folder)

    assert "It was stopped before the end." in (folder / "import-report.txt").read_text()
