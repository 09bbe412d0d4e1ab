"""Slugs: what a title becomes in an address."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content.slugs import is_made_from, numbered, slugify
from tests.core.content.documents import unhurried


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("VC Müllheim", "vc-muellheim"),
        ("ÄÖÜ äöü ß ẞ", "aeoeue-aeoeue-ss-ss"),
        ("Mu\N{COMBINING DIAERESIS}llheim", "muellheim"),
        ("Café à la crème", "cafe-a-la-creme"),
        ("Smørrebrød, Łódź & Þór", "smorrebrod-lodz-thor"),
        ("  Wer gewinnt?/Und wann…  ", "wer-gewinnt-und-wann"),
        ("3:1 -- Sieg!", "3-1-sieg"),
        ("\N{LATIN SMALL LIGATURE FI}nale ²", "finale-2"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "untitled"),
        ("?!", "untitled"),
        ("排球", "untitled"),
    ],
)
def test_a_title_becomes_a_slug(title: str, slug: str) -> None:
    assert slugify(title) == slug


def test_a_long_title_is_cut_at_a_dash() -> None:
    assert slugify("a" * 40 + " " + "b" * 39 + " c") == "a" * 40 + "-" + "b" * 39
    assert slugify("a" * 40 + " " + "b" * 40) == "a" * 40


def test_a_single_long_word_is_cut_anywhere() -> None:
    assert slugify("a" * 100) == "a" * 80


def test_a_number_makes_another_slug_of_the_same_title() -> None:
    assert numbered("finale", 2) == "finale-2"
    assert numbered("a" * 80, 3) == "a" * 78 + "-3"
    assert numbered("a" * 40 + "-" + "b" * 39, 12) == "a" * 40 + "-12"


@unhurried
@given(st.text())
def test_every_title_becomes_a_proper_slug_that_stays_as_it_is(title: str) -> None:
    slug = slugify(title)

    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)
    assert len(slug) <= 80
    assert slugify(slug) == slug
    assert len(numbered(slug, 1000)) <= 80


@pytest.mark.parametrize(
    ("slug", "made"),
    [
        ("derby", True),
        ("derby-2", True),
        ("derby-10", True),
        ("derby-1", False),
        ("derby-02", False),
        ("derby-", False),
        ("derby-x", False),
        ("das-derby", False),
        ("", False),
    ],
)
def test_a_slug_tells_whether_it_was_made_from_its_title(slug: str, made: bool) -> None:
    assert is_made_from("Derby", slug) is made


def test_a_numbered_slug_of_a_long_title_was_made_from_it_too() -> None:
    title = "a" * 40 + " " + "b" * 39
    assert is_made_from(title, numbered(slugify(title), 12))
