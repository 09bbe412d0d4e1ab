"""The rules of scoring in the browser are those of the server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.tracker.rules import test_scoring_rules

pytestmark = pytest.mark.usefixtures("no_recording_limit")


@pytest.fixture
def free_page(browser: Browser, live_server: object) -> Iterator[Page]:
    """A page that may import a module, which ours allow their own scripts only."""
    context = browser.new_context(base_url=str(live_server), bypass_csp=True)
    yield context.new_page()
    context.close()


def test_the_rules_in_the_browser_give_what_the_servers_give(free_page: Page) -> None:
    vectors: list[dict[str, Any]] = json.loads(
        Path(test_scoring_rules.__file__).with_name("vectors.json").read_text()
    )
    free_page.goto("/healthz")
    told = free_page.evaluate(
        """async (vectors) => {
            const game = await import("/static/tracker/scoring-rules.js");
            return vectors.map(({ plays, rules, slots }) => {
                let state = game.start();
                return plays.map((play) => {
                    const result = game.countedAs(play.result, state.homeRuns, rules);
                    const { bases: taken, outs: before } = state;
                    const runsLeft = (rules.runLimit ?? Infinity) - state.inningRuns;
                    const moves = play.moves ?? (play.said
                        ? game.assumedMoves(result, taken, before, play.said)
                        : game.usualMoves(result, taken, before));
                    state = game.after(state, { ...play, moves }, rules, slots);
                    const { inning, outs, bases, slot, runs } = state;
                    const battedIn = game.usualRunsBattedIn(result, moves, runsLeft);
                    return [{ inning, outs, bases, next: slot, runs }, battedIn];
                });
            });
        }""",
        vectors,
    )
    for vector, answers in zip(vectors, told, strict=True):
        for play, (after, batted_in) in zip(vector["plays"], answers, strict=True):
            assert (after, batted_in) == (play["after"], play.get("rbi", batted_in)), vector["name"]
