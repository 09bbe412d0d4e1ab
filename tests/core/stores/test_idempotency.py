"""A request that is sent twice is carried out once, whatever it does."""

import random
import re
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.contrib import messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from config import urls as site
from config.engines.dynoxide import Dynoxide
from core.accounts.rights import public
from core.dynamo import maintenance, metering
from core.dynamo.encryption import WrongSecret, decrypt
from core.dynamo.errors import NotFound, Replayed
from core.dynamo.faults import FaultProxy, Faults
from core.stores import idempotency
from core.stores.codecs import SignedPickleCodec
from core.stores.idempotency import idempotent, once
from core.stores.models import StoreItem
from tests.awaiting import eventually
from tests.cast import sign_in
from tests.core.crud.roles import LIST, make
from tests.core.dynamo.library import Article, articles

carried_out: list[str] = []
# What happens elsewhere while a request is carried out.
meanwhile: list[Callable[[], None]] = []
may_go_on = Event()


@public
@idempotent
def order(request: HttpRequest, number: int) -> HttpResponse:
    carried_out.append(request.POST.get("what", ""))
    for happen in meanwhile:
        happen()
    if "wait" in request.POST:
        assert may_go_on.wait(30)
    if "break" in request.POST:
        carried_out.append("broken")
        raise NotFound
    if "unavailable" in request.POST:
        return HttpResponse(status=503)
    if "refused" in request.POST:
        return HttpResponse(status=422)
    return HttpResponse(
        f"Order {len(carried_out)} für dich", status=201, headers={"Location": f"/o/{number}"}
    )


@public
@idempotent
def page(request: HttpRequest) -> HttpResponse:
    """As rich as an answer can be: a text, a message, and where HTMX puts it."""
    carried_out.append("page")
    messages.success(request, "Saved.")
    response = HttpResponse("<p>The list</p>")
    response["HX-Retarget"], response["HX-Reswap"] = "#list", "none"
    response["Content-Disposition"], response["Content-Language"] = 'inline; filename="list"', "nl"
    return response


@public
@idempotent
def large(request: HttpRequest) -> HttpResponse:
    carried_out.append("large")
    return HttpResponse(random.Random(1).randbytes(600_000), content_type="image/png", status=201)


@public
@idempotent
def upload(request: HttpRequest) -> HttpResponse:
    carried_out.append(request.FILES["picture"].read().decode())
    return HttpResponse(carried_out[-1])


@public
def article(request: HttpRequest) -> HttpResponse:
    try:
        saved = articles.create(
            Article(title=request.POST["title"]),
            once=once(request, answer={"id": "1"}),
            actor=request.user.actor,
        )
    except Replayed as replayed:
        return HttpResponse(f"again {replayed.answer['id']}")
    return HttpResponse(saved.title)


urlpatterns = [
    path("order/<int:number>", order),
    path("page", page),
    path("large", large),
    path("upload", upload),
    path("article", article),
    *site.urlpatterns,
]
pytestmark = [pytest.mark.urls(__name__), pytest.mark.usefixtures("db")]


@pytest.fixture(autouse=True)
def nothing_yet() -> Iterator[None]:
    carried_out.clear()
    meanwhile.clear()
    may_go_on.clear()
    idempotency._answers.cache_clear()
    yield
    idempotency._answers.cache_clear()


@pytest.fixture
def member(client: Client) -> Client:
    return sign_in(client, "member")


def token_in(page: str) -> str:
    return re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[-1]


def send(client: Client, key: str = "key-1", number: int = 1, **fields: str) -> HttpResponse:
    return client.post(f"/order/{number}", {"what": "ball", **fields}, headers={"Idempotency-Key": key})


def test_a_repeated_request_gets_the_first_answer(member: Client) -> None:
    first, second = send(member), send(member)

    assert carried_out == ["ball"]
    for response in (first, second):
        assert (response.status_code, response["Location"]) == (201, "/o/1")
        assert response.content.decode() == "Order 1 für dich"
    assert second["Content-Type"] == first["Content-Type"]


def test_the_key_may_be_a_hidden_field(member: Client) -> None:
    for _again in range(2):
        member.post("/order/1", {"what": "ball", "once": "from the form"})

    assert carried_out == ["ball"]


def test_without_a_key_each_request_counts(member: Client) -> None:
    for _again in range(2):
        member.post("/order/1", {"what": "ball"})

    assert carried_out == ["ball", "ball"]


def test_the_same_key_with_another_payload_is_refused(member: Client) -> None:
    send(member)
    response = send(member, what="net")

    assert response.status_code == 422
    assert carried_out == ["ball"]


def test_a_key_is_good_for_one_person_and_one_route_only(member: Client) -> None:
    send(member)
    send(member, number=2)
    send(sign_in(Client(), "other-member"))

    assert carried_out == ["ball"] * 3


def test_a_key_is_good_for_one_method_and_one_query_only(member: Client) -> None:
    once = {"Idempotency-Key": "key-1"}
    for _again in range(2):
        member.post("/order/1?key=a", {"what": "by post"}, headers=once)
        member.post("/order/1?key=b", {"what": "by post"}, headers=once)
        member.put("/order/1?key=a", "by put", headers=once)

    assert carried_out == ["by post", "by post", ""]


@pytest.mark.parametrize("content_type", ["application/json", "application/x-www-form-urlencoded"])
def test_what_is_no_form_is_the_same_only_with_the_same_body(member: Client, content_type: str) -> None:
    def put(body: str) -> int:
        return member.put(
            "/order/1", body, content_type=content_type, headers={"Idempotency-Key": "k"}
        ).status_code

    assert [put('"one"'), put('"one"'), put('"two"')] == [201, 201, 422]
    assert len(carried_out) == 1


def test_looking_is_never_kept(member: Client) -> None:
    for _again in range(2):
        member.get("/order/1", headers={"Idempotency-Key": "key-1"})

    assert carried_out == ["", ""]


def test_a_form_with_nothing_but_its_key_is_carried_out_once(member: Client) -> None:
    for _again in range(2):
        assert member.post("/order/1", {"once": "from the form"}).status_code == 201

    assert carried_out == [""]


def test_a_file_is_the_same_only_with_the_same_contents(member: Client) -> None:
    def send_picture(contents: bytes) -> HttpResponse:
        file = SimpleUploadedFile("team.png", contents)
        return member.post("/upload", {"picture": file, "once": "from the form"})

    assert [send_picture(b"red").content for _again in range(2)] == [b"red", b"red"]
    assert send_picture(b"tan").status_code == 422
    assert carried_out == ["red"], "what was looked at before is there for the view from its beginning"


def test_a_repeat_tells_and_swaps_as_the_first(member: Client) -> None:
    first, second = (member.post("/page", {"once": "key"}, headers={"HX-Request": "true"}) for _ in range(2))

    assert carried_out == ["page"]
    for response in (first, second):
        assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#list", "none")
        assert response["Content-Disposition"] == 'inline; filename="list"'
        assert response["Content-Language"] == "nl"
        assert "<p>The list</p>" in response.content.decode()
        assert response.content.decode().count("Saved.") == 1


def test_what_is_kept_tells_nothing_to_whoever_reads_the_table(member: Client) -> None:
    """Only who has the key can open it, and the table has its digest."""
    send(member, key="key-1")

    items = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    (job,) = (item for item in items if item["PK"]["S"].startswith("DEDUPE#"))
    sealed = SignedPickleCodec().decode(job["PK"]["S"], job["Data"]["M"]["result"])
    assert b"Order 1" in zlib.decompress(decrypt("kept answer:key-1", sealed))
    with pytest.raises(WrongSecret):
        decrypt("kept answer:key-2", sealed)
    assert "key-1" not in str(job)


def test_the_forms_of_a_repeat_work_after_signing_in_again() -> None:
    """Signing in gives another CSRF token, so the one of the first answer is worth nothing."""
    browser = Client(enforce_csrf_checks=True)
    role = make("Treasurer")

    def delete_it() -> str:
        sign_in(browser, "moderator")
        token = token_in(browser.get(LIST).content.decode())
        fields = {"bulk": "delete", "selected": [f"{role.id}@1"], "confirmed": "yes", "once": "key"}
        response = browser.post(f"{LIST}bulk", fields | {"csrfmiddlewaretoken": token})
        assert response.status_code == 200
        return response.content.decode()

    delete_it()
    browser.cookies.clear()
    again = delete_it()

    (undo,) = re.findall(r'action="([^"]*restore[^"]*)"', again)
    (for_htmx,) = re.findall(r'"x-csrftoken": "(\w+)"', again)
    assert browser.post(undo, {"key": role.id, "csrfmiddlewaretoken": token_in(again)}).status_code == 302
    assert browser.post(undo, {"key": role.id}, headers={"X-CSRFToken": for_htmx}).status_code != 403
    assert browser.post(undo, {"key": role.id}).status_code == 403


def test_of_an_answer_too_large_to_keep_a_repeat_is_told_that_it_was_done(member: Client) -> None:
    first, second = (member.post("/large", {"once": "key"}) for _again in range(2))

    assert carried_out == ["large"]
    assert (first.status_code, len(first.content)) == (201, 600_000)
    assert (second.status_code, second.content) == (201, b"This was already done.")
    assert second["Content-Type"] == "text/plain; charset=utf-8"


def test_while_the_first_is_running_the_second_is_told_to_wait(member: Client, db: Dynoxide) -> None:
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(send, member, wait="yes")
        assert eventually(lambda: carried_out, bool) == ["ball"]
        second = send(member, wait="yes")
        may_go_on.set()

        assert (second.status_code, second["Retry-After"]) == (409, "2")
        assert first.result(30).status_code == 201
    assert send(member, wait="yes").status_code == 201
    assert carried_out == ["ball"]


@pytest.mark.parametrize("field", ["break", "unavailable", "refused"])
def test_what_was_not_done_may_be_tried_again(member: Client, field: str) -> None:
    for _again in range(2):
        assert send(member, **{field: "yes"}).status_code in (404, 503, 422)

    assert carried_out.count("ball") == 2


@pytest.mark.parametrize("key", ["x" * 256])
def test_a_key_that_is_too_long_is_refused(member: Client, key: str) -> None:
    assert send(member, key).status_code == 400


@pytest.mark.parametrize("answer", ["unavailable", "what"])
def test_an_answer_that_cannot_be_kept_is_given_all_the_same(
    client: Client, proxy: FaultProxy, answer: str
) -> None:
    member = sign_in(client, "member")
    meanwhile.append(lambda: setattr(proxy, "faults", Faults(reset=1)))

    response = send(member, **{answer: "ball"})

    expected = (503, b"") if answer == "unavailable" else (201, "Order 1 für dich".encode())
    assert (response.status_code, response.content) == expected


def test_it_costs_two_requests_and_a_repeat_one(member: Client) -> None:
    def cost(use: Callable[[], HttpResponse]) -> list[str]:
        with metering.metered() as meter:
            use()
        # Beside the session's.
        return [call.operation for call in meter.calls if call.table == StoreItem.Meta.table_name][1:]

    assert cost(lambda: send(member)) == ["UpdateItem", "UpdateItem"]
    assert cost(lambda: send(member)) == ["UpdateItem"]


def test_where_the_effect_is_a_transaction_its_row_is_part_of_it(member: Client) -> None:
    def save(title: str) -> HttpResponse:
        return member.post("/article", {"title": title}, headers={"Idempotency-Key": "key-1"})

    with metering.metered() as meter:
        assert save("One").content == b"One"
    assert meter.operations.count("TransactWriteItems") == 1
    assert save("One").content == b"again 1"
    assert save("Two").status_code == 422
    assert [item.title for item in articles.latest().items] == ["One"]
