"""`manage.py import_payload`: what becomes of the fields of teams, members, roles and places."""

from typing import Any

from cms.locations.repository import locations
from cms.members.repository import members
from cms.payload.document import our_id
from cms.roles.repository import roles
from cms.teams.repository import teams
from core.dynamo import references
from tests.cms.payload.exports import brought, doc, run, write
from tests.cms.payload.imported import CREATED, fields, notes


def a_club(**team: Any) -> dict[str, list[dict[str, Any]]]:
    return {
        "roles": [doc(1, name="Trainerin", vorstand=False), doc(2, name="1. Vorsitz", vorstand=True)],
        "locations": [
            doc(
                7,
                name="Sporthalle",
                description="Eingang hinten",
                address={"street": "Schulweg 2", "postalCode": 1067, "city": "Dresden"},
            )
        ],
        "members": [
            doc(10, name="Änne Öhm", email="Aenne@Example.com", phone="0171 1", roles=[{"id": 1}, 2]),
            doc(11, name="Bo Beck", roles=[]),
        ],
        "teams": [doc(20, **({"name": "Herren 1", "slug": "herren1", "gender": "men"} | team))],
    }


def test_roles_places_and_members_come_with_all_that_they_had(folder):
    write(folder, **a_club())

    assert notes(run(folder)) == []

    trainer, chair = (brought(roles, "roles", key) for key in (1, 2))
    assert [fields(role, "name", "vorstand", "created_at") for role in (trainer, chair)] == [
        *(["Trainerin", False, CREATED], ["1. Vorsitz", True, CREATED])
    ]
    place = brought(locations, "locations", 7)
    assert fields(place, "name", "description", "street", "postal", "city", "created_at") == [
        *("Sporthalle", "Eingang hinten", "Schulweg 2", "01067", "Dresden", CREATED)
    ]
    member = brought(members, "members", 10)
    assert fields(member, "name", "email", "phone", "role_ids", "avatar_id", "created_at") == [
        *("Änne Öhm", "aenne@example.com", "0171 1", [trainer.id, chair.id], None, CREATED)
    ]
    assert fields(brought(members, "members", 11), "email", "phone", "role_ids") == [
        None,
        None,
        [],
    ]


def test_a_team_comes_with_all_that_it_had(folder):
    write(
        folder,
        sams_teams=[doc(3, name="VC 1", uuid="abc-uuid")],
        **a_club(
            age=16,
            league="Landesliga",
            sbvvTeam=3,
            description="Wir spielen.",
            people={"coaches": [10], "contactPeople": [{"id": 11}, 10]},
            schedules=[
                {
                    "day": ["donnerstags", "montags"],
                    # On the club's clock: one time of winter and one of summer.
                    "time": {"startTime": "2025-01-15T18:30:00.000Z", "endTime": "2025-06-15T19:30:00.000Z"},
                    "location": {"id": 7},
                    "id": "row",
                }
            ],
            instagram="@VC_Example",
        ),
    )

    lines = run(folder)

    record = brought(teams, "teams", 20)
    aenne, bo = our_id("members", "10"), our_id("members", "11")
    assert fields(record, "name", "slug", "status", "gender", "age", "league", "sbvv_team_id") == [
        *("Herren 1", "herren1", "published", "men", 16, "Landesliga", "abc-uuid")
    ]
    assert fields(record, "description", "instagram", "created_at") == ["Wir spielen.", "vc_example", CREATED]
    assert fields(record, "coach_ids", "contact_person_ids") == [[aenne], [bo, aenne]]
    assert record.schedules == [
        {
            "day": ["montags", "donnerstags"],
            "startTime": "19:30",
            "endTime": "21:30",
            "locationId": our_id("locations", "7"),
        }
    ]
    assert notes(lines) == []
    used = references.used_in("location", our_id("locations", "7"))
    assert [(row.entity, row.key) for row in used.items] == [("team", record.id)]


def test_what_does_not_fit_into_a_team_is_left_out_and_noted(folder):
    write(
        folder,
        **a_club(
            gender="cats",
            league="Weltliga",
            sbvvTeam=99,
            people={"coaches": [10, 404]},
            schedules=[
                {"day": ["montags"], "time": {"startTime": "20:00", "endTime": "19:00"}, "location": 7}
            ],
            instagram="no handle!",
        ),
    )

    lines = run(folder)

    record = brought(teams, "teams", 20)
    assert fields(record, "status", "gender", "league", "sbvv_team_id", "instagram", "schedules") == [
        *("draft", None, None, None, None, [])
    ]
    assert record.coach_ids == [our_id("members", "10")]
    assert [note.removeprefix("teams 20 “Herren 1”: ") for note in notes(lines)] == [
        "“gender” was left out: “cats” (Select a valid choice. cats is not one of the available choices.)",
        "it lacks a gender, so it is a draft",
        "“league” was left out: “Weltliga” (Select a valid choice. Weltliga is not one of the available "
        "choices.)",
        "“sbvvTeam” names sams-teams 99, which is not in the export",
        "“people.coaches” names members 404, which is not here",
        "a time of training was left out: montags, 20:00, 19:00, locations 7",
        "“instagram” was left out: “no handle!” (Enter the account name, such as “vc_example”.)",
    ]
