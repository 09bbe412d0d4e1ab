"""`manage.py import_payload`: everything comes over once, or the report says why it did not."""

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from django.core.management import CommandError

from cms.media.repository import media
from cms.members.models import Member
from cms.members.repository import members
from cms.news.models import News
from cms.news.repository import news
from cms.payload.document import our_id
from cms.teams.models import Team
from cms.teams.repository import teams
from config.engines.dynoxide import Dynoxide
from core.content.richtext import plain_text
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import from_iso
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.metering import metered
from tests.awaiting import eventually
from tests.cms.payload.exports import (
    article,
    articles,
    brought,
    counts,
    doc,
    part,
    put_file,
    run,
    run_with_problems,
    write,
)
from tests.cms.payload.imported import WRITES, ids_here
from tests.config.processes import ROOT
from tests.media_bucket import Bucket, photo

# The command in a process that ends itself, without a chance to tidy up, after so many writes.
KILLED_AFTER = """
import os, signal, sys
import django
django.setup()
from django.core.management import call_command
from core.dynamo.transactions import Transaction
commit, commits = Transaction.commit, 0
def counted(transaction):
    global commits
    commit(transaction)
    commits += 1
    if commits == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
Transaction.commit = counted
call_command("import_payload", sys.argv[1])
"""


def ids_of(documents: list[dict[str, Any]]) -> set[str]:
    return {our_id("news", str(document["id"])) for document in documents}


def differing(documents: list[dict[str, Any]]) -> list[object]:
    """The documents whose articles are not what they should be."""
    return [document["id"] for document in documents if not is_equal(document)]


def is_equal(document: dict[str, Any]) -> bool:
    record = brought(news, "news", document["id"])
    paragraphs = [block["children"][0]["text"] for block in document["content"]["root"]["children"]]
    return (
        record.title == document["title"]
        and plain_text(record.content) == "\n\n".join(text.strip() for text in paragraphs)
        and record.status == document["_status"]
        and record.publish_at == from_iso(document["publishedDate"])
        and record.created_at == from_iso(document["createdAt"])
        and record.version == 1
    )


def started(engine: Dynoxide, *arguments: str) -> subprocess.Popen[bytes]:
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DYNAMODB_ENDPOINT": engine.endpoint}
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=os.environ | settings, stdout=subprocess.DEVNULL
    )


# --- Interrupted and repeated ----------------------------------------------------------------------------


def test_an_import_that_was_killed_and_repeated_brings_everything_exactly_once(folder, db):
    documents = articles(60)
    write(folder, news=documents)
    assert started(db, "-c", KILLED_AFTER, str(folder), "30").wait(60) == -signal.SIGKILL
    assert len(ids_here()) == 30

    lines = run(folder)

    assert counts(lines, "news") == [30, 30, 0, 0, 0]
    assert ids_here() == ids_of(documents)
    assert differing(documents) == []
    slugs = [brought(news, "news", document["id"]).slug for document in documents]
    assert sorted(slugs)[:3] == ["hauptversammlung", "hauptversammlung-10", "hauptversammlung-11"]
    assert len(set(slugs)) == 60
    assert len(part(lines, "Notes")) == 1 + 55, "the addresses of both runs are in the report of the last"


@pytest.mark.slow
def test_two_thousand_articles_killed_half_way_and_repeated_are_exactly_two_thousand(own_engine, tmp_path):
    documents = articles(2000)
    folder = write(tmp_path / "export", news=documents)
    process = started(own_engine, "manage.py", "import_payload", str(folder))
    # They are imported by age, so this is the 900th.
    middle = our_id("news", "900")
    eventually(lambda: news.get_many([middle]), bool, seconds=300)
    process.kill()
    assert process.wait(60) == -signal.SIGKILL
    assert 900 <= len(ids_here()) < 2000

    run(folder)

    assert ids_here() == ids_of(documents)
    assert differing(documents) == []


def test_an_import_over_a_bad_line_brings_everything_exactly_once(folder, proxy: FaultProxy):
    documents = articles(12)
    write(folder, news=documents)
    proxy.faults = Faults(conflict=0.1, throttle=0.1, lost_answer=0.1)

    def is_done() -> bool:
        try:
            run(folder)
        except CommandError:
            return False
        return True

    assert any(is_done() for _run in range(20))
    proxy.faults = Faults()
    assert ids_here() == ids_of(documents)
    assert differing(documents) == []


def test_what_an_import_beside_this_one_brings_is_there_already(folder, monkeypatch):
    write(folder, news=[article(1), article(2, "Zwei")])
    create = news.create

    def create_after_the_other(item: News, **options: Any) -> News:
        create(News.from_raw_data(item.serialize()), **options)
        return create(item, **options)

    monkeypatch.setattr(news, "create", create_after_the_other)

    assert counts(run(folder), "news") == [0, 2, 0, 0, 0]


def test_a_repeated_import_writes_nothing_and_leaves_alone_what_was_changed_here(folder):
    write(folder, news=[article(1), article(2, "Zwei")])
    run(folder)
    changed = news.update(brought(news, "news", 1), {"title": "Besser"}, actor=SYSTEM)

    with metered() as meter:
        lines = run(folder)

    assert not WRITES.intersection(meter.operations)
    assert counts(lines, "news") == [0, 2, 0, 0, 0]
    assert brought(news, "news", 1).stored == changed.stored
    assert "news 1 “Derby”: was changed here since: title is “Besser” instead of “Derby”" in part(
        lines, "Notes"
    )


def test_what_was_deleted_here_does_not_come_back_and_its_address_is_free(folder):
    write(folder, news=[article(1), article(2, "Zwei")])
    run(folder)
    news.delete(brought(news, "news", 1), actor=SYSTEM)
    write(folder, news=[article(1), article(2, "Zwei"), article(3)])

    for option, expected in (
        (["--dry-run"], [1, 1, 1, 0, 0]),
        ([], [1, 1, 1, 0, 0]),
        (["--verify-only"], [0, 2, 1, 0, 0]),
    ):
        lines = run(folder, *option)
        assert counts(lines, "news") == expected
        assert part(lines, "Notes")[1:] == ["news 1 “Derby”: left out: it was deleted here"]

    assert ids_here() == {our_id("news", key) for key in ("2", "3")}
    assert brought(news, "news", 3).slug == "derby"


def test_a_file_that_was_deleted_here_is_not_uploaded_again(folder, bucket: Bucket):
    put_file(folder, "team.jpg", photo(60, 40))
    write(folder, media=[doc(1, filename="team.jpg")])
    run(folder)
    media.delete(brought(media, "media", 1), actor=SYSTEM)
    write(folder, news=[article(1, images=[1])])
    before = bucket.keys()

    lines = run(folder)

    assert part(lines, "Notes")[1:] == [
        "media 1 “team.jpg”: left out: it was deleted here",
        "news 1 “Derby”: “images” names media 1, which is not here",
    ]
    assert bucket.keys() == before


def test_a_media_file_whose_import_was_killed_is_uploaded_at_the_next_time(
    folder, bucket: Bucket, monkeypatch
):
    put_file(folder, "a.jpg", photo(300, 200))
    write(folder, media=[doc(1, filename="a.jpg")], news=[article(1, images=[1])])
    with monkeypatch.context() as patched:
        patched.setattr(media, "create", _stop)
        with pytest.raises(CommandError, match=r"^Stopped before the end"):
            run(folder)

    run(folder)

    record = brought(media, "media", 1)
    assert set(record.s3_keys) <= set(bucket.keys())
    assert brought(news, "news", 1).image_ids == [record.id]


def _stop(*_args: Any, **_options: Any) -> None:
    raise KeyboardInterrupt


def test_an_import_that_is_stopped_says_so_in_its_report(folder, monkeypatch):
    write(folder, news=[article(1)])
    monkeypatch.setattr(news, "create", _stop)

    with pytest.raises(CommandError) as stopped:
        run(folder)

    assert stopped.value.returncode == 130
    report = (folder / "import-report.txt").read_text()
    assert "It was stopped before the end. Run it again: it goes on where it stopped." in report


# --- Dry run and report ----------------------------------------------------------------------------------


def test_a_dry_run_writes_nothing_and_tells_what_would_happen(folder):
    members.create(Member(name="Änne"), actor=SYSTEM)
    write(
        folder,
        roles=[doc(1, name="Trainer"), doc(2, name="trainer")],
        members=[doc(10, name="änne", roles=[1]), doc(11, name="Bo", roles=[1, 2])],
        media=[doc(5, filename="gone.jpg")],
        news=[article(1), article(2), article(3, title="x" * 201)],
    )

    with metered() as meter:
        lines = run_with_problems(folder, "--dry-run")

    assert not WRITES.intersection(meter.operations)
    assert ids_here() == set()
    assert not (folder / "import-report.txt").exists()
    assert lines[0] == "Dry run: nothing was written. “imported” is what would be."
    assert [counts(lines, name) for name in ("roles", "members", "media", "news")] == [
        *([1, 0, 0, 1, 0], [1, 0, 0, 1, 0], [0, 0, 0, 1, 0], [2, 0, 0, 1, 0])
    ]
    assert part(lines, "Problems") == [
        "roles 2 “trainer”: refused: This is already taken. Choose another.",
        "media 5 “gone.jpg”: refused: its file “gone.jpg” is not in the folder “media”",
        "members 10 “änne”: refused: Another member already has this name.",
        f"news 3 “{'x' * 80}…”: refused: “title”: Ensure this value has at most 200 characters (it has 201).",
    ]
    assert part(lines, "Notes")[1:] == [
        "members 11 “Bo”: “roles” names roles 2, which is not here",
        "news 2 “Derby”: its address is “derby-2”, for another record has “derby”",
    ]


def test_a_dry_run_says_the_same_as_the_import_after_it(folder):
    write(
        folder,
        roles=[doc(1, name="Trainer"), doc(2, name="trainer")],
        teams=[doc(1, name="Herren 1", gender="men"), doc(2, name="Herren-1", gender="men")],
        news=[article(1), article(2, layout="wide"), article(3, title="")],
    )

    foreseen = run_with_problems(folder, "--dry-run")
    done = run_with_problems(folder)

    assert part(done, "Problems") == part(foreseen, "Problems")
    assert part(done, "Notes") == part(foreseen, "Notes")
    assert counts(done, "news") == counts(foreseen, "news") == [2, 0, 0, 1, 0]


def test_the_report_is_written_beside_the_export_or_where_it_is_wanted(folder, tmp_path):
    write(folder, news=[article(1, layout="wide")])

    lines = run(folder)
    run(folder, "--report", str(tmp_path / "elsewhere.txt"))

    written = (folder / "import-report.txt").read_text().splitlines()
    assert written == lines[: len(written)]
    assert "- news 1 “Derby”: “layout” has no place here: “wide”" in written
    assert "news 1" in (tmp_path / "elsewhere.txt").read_text()


def test_only_some_collections_are_imported_on_demand_and_find_what_came_before(folder):
    write(folder, roles=[doc(1, name="Trainer")], members=[doc(2, name="Bo", roles=[1])], news=[article(3)])

    run(folder, "--only", "roles")
    run(folder, "--only", "members")

    assert brought(members, "members", 2).role_ids == [our_id("roles", "1")]
    assert ids_here() == set()


# --- Names that are taken --------------------------------------------------------------------------------


def test_the_older_of_two_articles_with_one_title_has_the_address_and_the_other_a_number(folder):
    news.create(News(title="Heimsieg", slug="heimsieg"), actor=SYSTEM)
    write(
        folder,
        news=[
            article(1, createdAt="2025-03-01T00:00:00.000Z"),
            article(2, createdAt="2025-02-01T00:00:00.000Z"),
            article(3, "Heimsieg"),
        ],
    )

    lines = run(folder)

    assert [brought(news, "news", key).slug for key in (2, 1, 3)] == [*("derby", "derby-2", "heimsieg-2")]
    assert part(lines, "Notes")[1:] == [
        "news 1 “Derby”: its address is “derby-2”, for another record has “derby”",
        "news 3 “Heimsieg”: its address is “heimsieg-2”, for another record has “heimsieg”",
    ]


def test_an_address_that_somebody_takes_meanwhile_gets_a_number_as_well(folder, monkeypatch):
    write(folder, news=[article(1)])
    create, others = news.create, [News(title="Derby", slug="derby")]

    def create_after_another(item: News, **options: Any) -> News:
        if others:
            create(others.pop(), **options)
        return create(item, **options)

    monkeypatch.setattr(news, "create", create_after_another)
    run(folder)

    assert brought(news, "news", 1).slug == "derby-2"


def test_a_name_that_is_taken_is_a_problem_and_whoever_names_the_record_is_noted(folder):
    teams.create(Team(name="Herren 1", slug="herren1"), actor=SYSTEM)
    members.create(Member(name="Bo"), actor=SYSTEM)
    write(
        folder,
        members=[doc(1, name="Bo")],
        teams=[doc(2, name="Herren 1", gender="men"), doc(3, name="Herren-1", gender="men", coaches=[1])],
    )

    lines = run_with_problems(folder)

    assert part(lines, "Problems") == [
        "members 1 “Bo”: refused: Another member already has this name.",
        "teams 2 “Herren 1”: refused: Another team already has this name.",
    ]
    assert brought(teams, "teams", 3).slug == "herren1nr3"
    assert "teams 3 “Herren-1”: “people.coaches” names members 1, which is not here" in part(lines, "Notes")
