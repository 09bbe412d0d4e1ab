"""Somebody's profile: what everybody may know, and what only they themselves and the stewards see."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dynamo import history, metering
from quests import levels, wallets
from quests.services import accounts
from tests.cast import sign_in
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    account_of,
    completed,
    offered,
    open_accounts,
)

pytestmark = pytest.mark.usefixtures("db")
WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
OWN = f"/quests/people/{PERFORMER.sub}/"


@pytest.fixture(autouse=True)
def _board(db):
    open_accounts()


def rows_of(page):
    return page.content.decode().count("<tr>")


def test_everybody_sees_what_somebody_did(as_role):
    completed()
    page = as_role("member").get(OWN).content.decode()

    assert "Milan Petrov" in page
    # 100 XP: 25 and 50 for two levels, 25 of the 75 for the third.
    assert '<dd class="figure" id="level">3</dd>' in page
    assert "50 XP to level 4" in page
    assert '<progress id="next-level" value="25" max="75">' in page
    assert '<dd class="figure" id="reputation">10</dd>' in page
    assert '<dd class="figure" id="completed">1</dd>' in page
    assert "Netz in Halle 2 flicken" in page


@pytest.mark.parametrize(
    ("role", "sees_points", "sees_private"),
    [("other-member", True, True), ("steward", True, False), ("admin", True, False)]
    + [(role, False, False) for role in ("member", "official", "moderator", "scout", "scout-lead")],
)
@pytest.mark.parametrize("show", ["taken-on", "offered", "booked"])
def test_points_e_mail_and_wallet_are_seen_by_those_who_may(as_role, role, sees_points, sees_private, show):
    accounts.set_wallet(PERFORMER, WALLET)
    accounts.adjust_points(STEWARD, PERFORMER.sub, points=67, note="Geheimer Grund")
    response = as_role(role).get(OWN, {"show": show})
    page = response.content.decode()

    assert ('id="points">77<' in page) == sees_points
    assert (response.context["profile"].email is not None) == sees_private
    assert ("Geheimer Grund" in page) == (sees_points and show == "booked")
    assert (f'value="{WALLET}"' in page) == sees_private
    own_address = page.count(PERFORMER.email)
    # The person's own menu names their address on every page.
    assert own_address == (2 if sees_private else 0)


def test_bookings_are_told_in_words_with_who_adjusted(as_role):
    completed()
    accounts.adjust_points(STEWARD, PERFORMER.sub, points=-3, note="Doppelt gebucht")
    page = as_role("other-member").get(OWN, {"show": "booked"}).content.decode()

    assert "Adjusted by a steward" in page
    assert "(Stellan Okafor)" in page
    assert "Doppelt gebucht" in page
    assert ">-3<" in page
    assert ">+100<" in page


def test_a_long_list_goes_on_and_its_link_is_for_one_person_only(as_role, client):
    accounts.adjust_points(STEWARD, CREATOR.sub, points=20, note="Für das Turnier")
    for _number in range(21):
        offered()
    page = as_role("member").get(f"/quests/people/{CREATOR.sub}/", {"show": "offered"})
    after = page.context["next_token"]
    assert rows_of(page) == 1 + 20

    more = client.get(page.request["PATH_INFO"], {"show": "offered", "after": after}, HTTP_HX_REQUEST="true")
    assert rows_of(more) == 1
    stranger = sign_in(client, "official").get(page.request["PATH_INFO"], {"show": "offered", "after": after})
    assert stranger.status_code == 400


def test_a_profile_costs_four_requests(as_role):
    completed()
    client = as_role("member")
    with metering.metered() as cost:
        client.get(OWN)

    assert cost.operations == ["GetItem", "GetItem", "Query", "Query"]


def test_nobody_is_not_found(as_role):
    assert as_role("member").get("/quests/people/nobody-sub/").status_code == 404


@pytest.mark.parametrize("typed", [WALLET, WALLET.lower(), "0x" + WALLET[2:].upper()])
def test_a_wallet_is_stored_with_its_checksum(as_role, typed):
    client = as_role("other-member")
    with metering.metered() as cost:
        response = client.post("/quests/wallet", {"wallet": typed, "once": "k1"})

    assert (response.status_code, response["Location"]) == (302, OWN)
    assert account_of(PERFORMER).wallet_address == WALLET
    assert len(cost.operations) == 4
    assert history.entries("account", PERFORMER.sub).items[0].verb == "wallet"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "typo"),
        (WALLET[:-1], "A wallet address is 0x and 40"),
        (WALLET + "0", "A wallet address is 0x and 40"),
        ("0x" + "٣" * 40, "A wallet address is 0x and 40"),
        ("javascript:alert(1)", "A wallet address is 0x and 40"),
    ],
)
def test_a_wallet_that_cannot_be_one_is_refused_as_typed(as_role, typed, says):
    page = as_role("other-member").post("/quests/wallet", {"wallet": typed})

    assert page.status_code == 422
    assert says in page.content.decode()
    assert f'value="{typed}"' in page.content.decode()
    assert account_of(PERFORMER).wallet_address is None


def test_an_empty_wallet_removes_it_and_others_stay(as_role):
    accounts.set_wallet(PERFORMER, WALLET)
    accounts.set_wallet(CREATOR, WALLET)
    as_role("other-member").post("/quests/wallet", {"wallet": ""})

    assert account_of(PERFORMER).wallet_address is None
    assert account_of(CREATOR).wallet_address == WALLET


def test_a_wallet_is_changed_three_times_a_minute(as_role):
    client = as_role("member")
    answers = [client.post("/quests/wallet", {"wallet": ""}) for _number in range(3)]
    refused = client.post("/quests/wallet", {"wallet": WALLET})

    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert f'value="{WALLET}"' in refused.content.decode()


@given(st.integers(min_value=0, max_value=200_000))
def test_levels_use_up_exactly_the_xp(experience):
    level = levels.level_of(experience)

    assert (
        sum(levels.xp_to_next_level(number) for number in range(1, level.number)) + level.gained == experience
    )
    assert 0 <= level.gained < level.needed


def test_the_first_levels_are_those_of_the_formula():
    assert [levels.xp_to_next_level(number) for number in range(1, 9)] == [
        25,
        50,
        75,
        100,
        150,
        210,
        220,
        240,
    ]


@pytest.mark.parametrize(
    "address",
    # From the text of EIP-55.
    [
        WALLET,
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ],
)
def test_checksums_are_those_of_the_standard(address):
    assert wallets.with_checksum(address.lower()) == address
    assert wallets.has_valid_checksum(address)
    swapped = "".join(letter.swapcase() if place == 40 else letter for place, letter in enumerate(address))
    assert wallets.has_valid_checksum(swapped) == (swapped == address)


def test_names_with_html_are_inert(as_role):
    from core.accounts.user import User

    nasty = User.of(sub="nasty", name="<script>alert(1)</script>", email="n@fieldhouse.example", groups=[])
    open_accounts(nasty)

    assert "<script>alert(1)" not in as_role("member").get("/quests/people/nasty/").content.decode()
