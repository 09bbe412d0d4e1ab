"""What SAMS writes is read, however it writes it: numbers, dates, winners, and eight known defects."""

from datetime import UTC, date, datetime

import pytest

from cms.sams import legacy_xml, parsing, values

NAMESPACED = b"""<?xml version="1.0" encoding="UTF-8"?>
<matches xmlns="http://www.sams-server.de/xml">
  <match>
    <uuid>m-1</uuid><number>7</number><date>06.10.2024</date><time>11:00</time>
    <team><number>1</number><uuid>t-1</uuid><name>SV Ahorn</name></team>
    <team><number>2</number><uuid>t-2</uuid><name>TV Birke</name></team>
    <location><name>Halle Nord</name><city>Beispielstadt</city></location>
    <results>
      <winner>2</winner><setPoints>1:3</setPoints><ballPoints>85:95</ballPoints>
      <sets><set><number>1</number><points>25:20</points><winner>TEAM1</winner></set></sets>
    </results>
  </match>
  <match><uuid>m-2</uuid><date>13.10.2024</date><time>15:30</time></match>
</matches>"""
RANKINGS = """<rankings><matchSeries>Landesliga</matchSeries>
  <ranking>
    <team><uuid>t-1</uuid><name>SV Ahorn</name></team><place>1</place><matchesPlayed>14</matchesPlayed>
    <wins>12</wins><losses>2</losses><points>35</points><setWinScore>38</setWinScore><setLoseScore>15</setLoseScore>
    <setQuotient>2,533
    </setQuotient><ballWinScore>1200</ballWinScore><ballLoseScore>0</ballLoseScore><ballQuotient>∞</ballQuotient>
  </ranking>
</rankings>""".encode()


@pytest.mark.parametrize(
    ("written", "number"),
    [("2,533\n   ", 2.533), ("2.5", 2.5), (3, 3.0), ("∞", None), ("", None), (None, None)],
)
def test_decimals_are_read_in_german_too(written, number):
    assert values.decimal(written) == number


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-11-16", date(2026, 11, 16)),
        ("16.11.2026", date(2026, 11, 16)),
        ("2026-11-16T00:00:00.000Z", date(2026, 11, 16)),
        ("soon", None),
        (None, None),
    ],
)
def test_a_day_is_read_in_every_form(written, day):
    assert values.day(written) == day


@pytest.mark.parametrize(
    ("written", "side"),
    [
        ("uuid-1", 1),
        ("uuid-2", 2),
        ("1", 1),
        (2, 2),
        ("TEAM1", 1),
        ("team2", 2),
        ("uuid-3", None),
        (None, None),
    ],
)
def test_the_winner_is_told_by_uuid_or_number(written, side):
    assert values.winner(written, ("uuid-1", "uuid-2")) == side


def test_a_match_that_was_not_played_has_neither_result_nor_referees():
    match = parsing.match({"uuid": "m", "date": "2024-10-06", "results": None, "referees": None})

    assert (match.is_played, match.sets, match.set_points, match.team1.name) == (False, None, (), "")


def test_times_are_those_of_berlin():
    match = parsing.match({"uuid": "m", "date": "2024-10-06", "time": "11:00"})

    assert match.starts.astimezone(UTC) == datetime(2024, 10, 6, 9, 0, tzinfo=UTC)


def test_empty_text_is_nothing_and_a_record_without_a_name_is_left_out():
    answers = [{"uuid": "c-1", "name": "SV Ahorn", "logoImageLink": ""}, {"uuid": "c-2", "name": " "}, None]

    assert parsing.each(parsing.club, answers) == [parsing.Club("c-1", "SV Ahorn", None, None)]


@pytest.mark.parametrize(
    ("read", "needed"),
    [
        (parsing.association, ("uuid", "name")),
        (parsing.season, ("uuid", "name")),
        (parsing.league, ("uuid", "name")),
        (parsing.team, ("uuid", "name")),
        (parsing.hierarchy, ("uuid",)),
        (parsing.match, ("uuid",)),
        (parsing.ranking_row, ("teamName",)),
    ],
)
def test_a_record_without_what_it_is_known_by_is_left_out(read, needed):
    whole = {"uuid": "u-1", "name": "Ahorn", "teamName": "SV Ahorn"}

    assert read(whole) is not None
    assert [read(whole | {name: " "}) for name in needed] == [None] * len(needed)


def test_the_ranking_of_a_knock_out_competition_has_places_only():
    row = parsing.ranking_row(
        {"uuid": "t-1", "teamName": "SV Ahorn", "rank": 1, "scoreIncludingLosses": None}
    )

    assert (row.rank, row.points, row.sets, row.set_ratio) == (1, None, None, None)


def test_what_was_read_can_be_stored_and_read_again():
    match = legacy_xml.matches(NAMESPACED)[0]
    row = legacy_xml.rankings(RANKINGS)[0]

    assert parsing.match(match.as_json()) == match
    assert parsing.ranking_row(row.as_json()) == row


def test_the_older_interface_gives_the_same_matches():
    played, planned = legacy_xml.matches(NAMESPACED)

    assert (played.team1.name, played.team2.uuid, played.winner) == ("SV Ahorn", "t-2", 2)
    assert (played.sets, played.balls, played.set_points) == ((1, 3), (85, 95), ((25, 20),))
    assert (played.place, played.number) == ("Halle Nord, Beispielstadt", "7")
    assert played.starts.astimezone(UTC) == datetime(2024, 10, 6, 9, 0, tzinfo=UTC)
    assert (planned.is_played, planned.team1.name) == (False, "")


def test_the_older_interface_gives_the_same_table():
    (row,) = legacy_xml.rankings(RANKINGS)

    assert (row.team, row.rank, row.points, row.sets) == ("SV Ahorn", 1, 35, (38, 15))
    assert (row.set_ratio, row.ball_ratio) == (2.533, None)


def test_the_older_interface_gives_a_club():
    club = legacy_xml.club(
        b"<sportsclub><id>12</id><name>SV Ahorn</name><logo><url>https://x/l.png</url></logo></sportsclub>"
    )

    assert club == parsing.Club("12", "SV Ahorn", None, "https://x/l.png")


def test_a_series_without_matches_is_an_empty_document():
    assert legacy_xml.matches(b'<matches xmlns="http://www.sams-server.de/xml"/>') == []
    assert legacy_xml.rankings(b"<rankings></rankings>") == []


@pytest.mark.parametrize(
    "document",
    [
        b'<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><matches><match>&b;</match></matches>',
        b'<!DOCTYPE m [<!ENTITY f SYSTEM "file:///etc/passwd">]><matches><match>&f;</match></matches>',
        b"<html></html>",
        b"not xml",
    ],
)
def test_entities_and_other_documents_are_refused(document):
    with pytest.raises(legacy_xml.NotSamsXml):
        legacy_xml.matches(document)
