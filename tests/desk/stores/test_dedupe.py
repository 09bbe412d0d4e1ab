"""Jobs as administrators see them, and releasing one whose owner hangs."""

import time
from collections.abc import Callable

import pytest
from django.test import Client

from core.dynamo import metering
from core.stores.codecs import SignedPickleCodec
from core.stores.dedupe import DedupeStore
from core.stores.errors import JobFailed
from tests.awaiting import eventually
from tests.desk.stores.dashboard_pages import figures, recorded, rows, texts, toasts

AsRole = Callable[[str], Client]
pytestmark = pytest.mark.usefixtures("db")


def test_each_job_is_listed_with_its_state_and_without_its_result(as_role: AsRole) -> None:
    store = DedupeStore()
    done = store.register("done")
    store.complete("done", {"secret": "result"}, job_id=done)
    failed = store.register("failed")
    store.fail("failed", ValueError("<b>no answer</b>" + "!" * 500), job_id=failed)
    running = store.register("running")
    abandoned = DedupeStore(lease_ms=1).register("abandoned")
    # A lease of a millisecond is over in the next one.
    until = time.time() + 0.002
    eventually(time.time, lambda now: now > until)

    response = as_role("admin").get("/stores/jobs/")

    assert sorted(rows(response)) == [
        f"abandoned {abandoned[:8]} Abandoned just now 1",
        f"done {done[:8]} Completed just now 1",
        f"failed <b>no answer</b>{'!' * 184}… {failed[:8]} Failed just now 1",
        f"running {running[:8]} In progress just now 1 Release",
    ]
    assert figures(response)[:3] == ["4", "1", "1"]
    page = response.content.decode()
    assert "secret" not in page
    assert "<b>no answer" not in page


def test_finished_jobs_are_counted_also_when_they_are_forgotten(as_role: AsRole) -> None:
    admin, store = as_role("admin"), DedupeStore()
    before = int(figures(admin.get("/stores/jobs/"))[3])

    store.complete("import", 1, job_id=store.register("import"))
    store.complete("import", 2, job_id=store.register("import"))
    store.fail("other", ValueError("no"), job_id=store.register("other"))
    store.register("under way")

    assert figures(admin.get("/stores/jobs/")) == ["3", "1", "1", str(before + 3)]


def test_without_jobs_it_says_what_will_be_here(as_role: AsRole) -> None:
    response = as_role("admin").get("/stores/jobs/")

    assert "No jobs in progress" in texts(response, r"<h2>(.*?)</h2>")


@pytest.mark.parametrize("stored", [25, 60])
def test_pages_of_20_jobs_cost_three_requests_each(as_role: AsRole, stored: int) -> None:
    for number in range(stored):
        DedupeStore().register(f"job {number}")
    admin = as_role("admin")

    with metering.metered() as first:
        response = admin.get("/stores/jobs/")
    after = texts(response, r'id="next-page" href="([^"]*)"')[0]
    with metering.metered() as second:
        following = admin.get(f"/stores/jobs/{after}")

    assert first.operations == second.operations == ["GetItem", "Query", "BatchGetItem"]
    assert len(rows(response)) == 20
    assert len(rows(following)) == min(20, stored - 20)
    assert not {*rows(response)} & {*rows(following)}


def test_a_job_is_released_after_asking(as_role: AsRole) -> None:
    store = DedupeStore()
    job_id = store.register("import")
    admin = as_role("admin")
    address = f"/stores/jobs/release?key=import&job={job_id}"
    assert texts(admin.get(address), r"<h1[^>]*>(.*?)</h1>") == ["Release this job?"]
    assert store.is_in_progress("import")

    admin.post(address)

    assert toasts(admin.get("/stores/jobs/")) == ["Job released."]
    assert recorded("dedupe") == ["Amara Lindqvist released the job import"]
    with pytest.raises(JobFailed, match=r"An administrator released this job\."):
        store.wait_for("import")
    store.register("import")


def test_a_job_that_somebody_else_has_begun_meanwhile_is_not_released(as_role: AsRole) -> None:
    store = DedupeStore()
    store.register("import")

    response = as_role("admin").post("/stores/jobs/release?key=import&job=earlier")

    assert response.status_code == 409
    assert store.is_in_progress("import")
    assert recorded("dedupe") == []


def test_a_finished_job_is_not_released_and_its_result_not_opened(as_role: AsRole) -> None:
    store = DedupeStore(codec=SignedPickleCodec())
    job_id = store.register("import")
    store.complete("import", {"any": "value"}, job_id=job_id)

    response = as_role("admin").post(f"/stores/jobs/release?key=import&job={job_id}")

    assert response.status_code == 409
    assert store.wait_for("import") == {"any": "value"}
