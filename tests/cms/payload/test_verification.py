"""`manage.py import_payload`: what came over is counted and compared with the export."""

from cms.news.models import News
from cms.news.repository import news
from core.dynamo import maintenance
from core.dynamo.actors import SYSTEM
from core.dynamo.metering import metered
from tests.cms.payload.exports import (
    article,
    brought,
    counts,
    doc,
    part,
    put_file,
    run,
    run_with_problems,
    write,
)
from tests.cms.payload.imported import WRITES
from tests.media_bucket import Bucket, photo


def test_a_verification_counts_everything_and_compares_some(folder):
    write(folder, roles=[doc(1, name="Trainer")], news=[article(key, f"Nr. {key}") for key in range(30)])

    assert part(run(folder), "Verification") == [
        "roles: 1 in the export, 1 here; 1 compared, 0 differ",
        "news: 30 in the export, 30 here; 20 compared, 0 differ",
    ]
    with metered() as meter:
        lines = run(folder, "--verify-only", "--sample", "3", "--only", "news")
    assert part(lines, "Verification") == ["news: 30 in the export, 30 here; 3 compared, 0 differ"]
    assert not WRITES.intersection(meter.operations)


def test_a_verification_fails_for_what_is_missing_or_differs(folder):
    write(folder, news=[article(1), article(2, "Zwei"), article(3, "Drei")])
    run(folder)
    news.delete(brought(news, "news", 2), actor=SYSTEM, for_ever=True)
    broken = brought(news, "news", 3).stored | {
        "title": {"S": "Kaputt"},
        "content": {"M": {}},
        "slug": {"S": "anders"},
    }
    maintenance.request("PutItem", TableName=News.Meta.table_name, Item=broken)

    lines = run_with_problems(folder, "--verify-only")

    assert counts(lines, "news") == [0, 2, 0, 0, 1]
    assert part(lines, "Verification") == ["news: 3 in the export, 2 here; 2 compared, 1 differ"]
    problems = part(lines, "Problems")
    assert problems[0] == "news 2 “Zwei”: missing"
    assert [problem.partition(" is ")[0] for problem in problems[1:]] == [
        "news 3 “Drei”: differs: content",
        "news 3 “Drei”: differs: title",
        "news 3 “Drei”: differs: its address",
    ]


def test_a_verification_finds_files_that_are_gone_or_others(folder, bucket: Bucket):
    put_file(folder, "a.jpg", photo(300, 200))
    put_file(folder, "b.jpg", photo(200, 200))
    write(folder, media=[doc(1, filename="a.jpg"), doc(2, filename="b.jpg", alt="Bild")])
    run(folder)
    bucket.empty()
    put_file(folder, "b.jpg", photo(100, 100))

    lines = run_with_problems(folder, "--verify-only")

    assert sorted(part(lines, "Problems")) == [
        "media 1 “a.jpg”: differs: its file is missing in the bucket",
        "media 2 “b.jpg”: differs: its file is another one",
        "media 2 “b.jpg”: differs: its file is missing in the bucket",
    ]
