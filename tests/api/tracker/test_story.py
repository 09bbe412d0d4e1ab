"""The whole story of a game, told by a program: from the team to the box score, as the pages show it."""

import re

from tests.api.tracker.test_statistics import table
from tracker import repository

TRACKER = "/api/v1/tracker"
# Each play with what differs from the usual; the runs of the first inning, then of the second.
PLAYS = [
    ("1B", {}),
    ("BB", {}),
    ("2B", {"runners": [{"from": 2, "to": 4}, {"from": 1, "to": 3}], "hitType": "line_drive"}),
    ("SF", {"hitType": "fly_ball", "hitLocation": {"x": 0.5, "y": 0.25}}),
    ("K", {}),
    ("HR", {"hitLocation": {"x": 0.25, "y": 0.125}}),
    ("GO", {}),
    ("E", {}),
    ("DP", {}),
    ("FO", {}),
]


class Story:
    """A program that sends each step once, and fails where it is refused."""

    def __init__(self, program):
        self.program = program
        self.steps = 0

    def send(self, method, address, body=None, **headers):
        self.steps += 1
        sent = {"idempotency_key": f"step-{self.steps}", **headers}
        answer = self.program.send(method, f"{TRACKER}/{address}", body, **sent)
        assert answer.status_code in (200, 201), answer.content
        return answer

    def record(self, game, result, fields):
        """A play, which is sent twice, as if its answer was lost."""
        shown = self.program.get(f"{TRACKER}/games/{game}/situation").json()
        sent = {"result": result, "seen": shown["seen"], "situation": shown["situation"]} | fields
        made = self.send("POST", f"games/{game}/atbats", sent)
        self.steps -= 1
        again = self.send("POST", f"games/{game}/atbats", sent)
        assert (made.status_code, again.status_code, again.json()) == (201, 200, made.json())
        return made.json()


def test_a_game_from_the_team_to_the_box_score(owner, player):
    story = Story(owner)
    team = story.send("POST", "teams", {"name": "Feldkamp Falcons", "teamType": "MANAGED"}).json()["teamId"]
    roster = [
        story.send("POST", f"teams/{team}/players", {"firstName": name, "playerNumber": number}).json()
        for number, name in enumerate(("Ada", "Bea", "Cem", "Dov", "Eva", "Fin", "Gil", "Hal", "Ida"), 1)
    ]
    season = story.send("POST", f"teams/{team}/seasons", {"name": "Spring", "rules": {"innings": 2}}).json()
    planned = {"teamId": team, "opponentName": "Rivertown Rockets", "seasonId": season["seasonId"]}
    made = story.send("POST", "games", planned | {"scheduledStart": "2026-05-09T13:00:00Z"})
    game = made.json()["gameId"]
    order = [
        {"playerId": each["playerId"], "battingOrder": place} for place, each in enumerate(roster, start=1)
    ]
    story.send("PUT", f"games/{game}/lineup", {"lineup": order}, if_match=made["ETag"])
    story.send("POST", f"games/{game}/status", {"status": "IN_PROGRESS"})

    recorded = [story.record(game, result, fields) for result, fields in PLAYS]
    mistaken = story.record(game, "1B", {})
    undone = story.send("POST", f"games/{game}/undo", {"atBatId": mistaken["atBatId"]}).json()
    for inning, runs in ((1, 2), (2, 1)):
        story.send("PUT", f"games/{game}/opponent/{inning}", {"runs": runs})
    walk = recorded[1]
    story.send(
        "PUT",
        f"games/{game}/atbats/{walk['atBatId']}",
        {"result": "HBP"},
        if_match=f'"{walk["version"]}"',
    )
    final = story.send("POST", f"games/{game}/status", {"status": "FINAL"}).json()

    assert (undone["seen"], undone["last"], undone["hasEnded"]) == (10, recorded[-1]["atBatId"], False)
    assert (final["status"], final["teamScore"], final["opponentScore"]) == ("FINAL", 4, 3)
    assert final["rules"]["innings"] == 2
    stored = repository.games.story(game, strong=True)
    assert [each.result for each in stored.at_bats] == [
        "1B", "HBP", "2B", "SF", "K", "HR", "GO", "E", "DP", "FO",
    ]  # fmt: skip

    told = owner.get(f"{TRACKER}/games/{game}/box-score").json()
    assert told["innings"] == [
        {"inning": 1, "team": 4, "opponent": 2},
        {"inning": 2, "team": 0, "opponent": 1},
    ]
    assert (told["runs"], told["opponentScore"], told["problems"]) == (4, 3, [])
    assert {each["name"]: each["figures"]["rbi"] for each in told["batting"] if each["figures"]["rbi"]} == {
        "Cem": 1,
        "Dov": 1,
        "Fin": 2,
    }
    # What the pages show and their files have.
    batting = table(owner, f"/tracker/games/{game}/box/?list=batting&as=csv")
    assert {row["Batter"]: (row["AB"], row["R"], row["H"], row["RBI"]) for row in batting.values()} == {
        **{
            each["name"]: tuple(str(each["figures"][name]) for name in ("ab", "r", "h", "rbi"))
            for each in told["batting"]
        },
        "Team": tuple(str(told["team"][name]) for name in ("ab", "r", "h", "rbi")),
    }
    page = owner.client.get(f"/tracker/games/{game}/").content.decode()
    assert re.search(r"4\s*:\s*3", page)
    record = owner.get(f"{TRACKER}/teams/{team}/statistics?season={season['seasonId']}").json()["record"]
    assert record == {"wins": 1, "losses": 0, "ties": 0, "share": 1.0}
    box = repository.boxes.get(team, season["seasonId"], game, strong=True)
    assert (int(box.runs), int(box.opponent_score), int(box.left_on_base)) == (4, 3, told["leftOnBase"])
    assert player.get(f"{TRACKER}/games/{game}").status_code == 404
