"""What each kind of people does on that day, by the clock."""

import asyncio
import json
import re
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import Any, TypedDict
from urllib.parse import urlsplit
from uuid import uuid4

from tests.core.crud.pages import _Form
from tests.load.browser import HTMX, Browser, Clock, Journal
from tests.load.settings import (
    AFTER_A_MATCH,
    EDITS,
    FOLLOWS_THE_SCORE,
    READS_A_PAGE,
    RECORDS_A_PLAY,
    SENDS_A_FORM,
    TWICE_EVERY,
    WATCHES,
)

STAND = "/scouting/stand/"
# One out of three, so that innings end.
RESULTS = ("K", "1B", "1B")
WORK = "Das Netz hängt wieder, die Pfosten sind abgeklebt."
# The title of what an editor has not saved yet ends so.
BEGUN = " begonnen"
VERSIONS = ("version", "copy_version")


class Quest(TypedDict):
    key: str
    creator: str
    # The sessions of those who take it on at the same moment, by their sub.
    performers: Mapping[str, str]


class Plan(TypedDict):
    """Who is there; people are named by their sessions. It goes to the process as JSON."""

    port: int
    seconds: int
    event: str
    scouts: Mapping[str, Sequence[tuple[int, str]]]
    viewers: int
    live: str
    scorer: str
    game: str
    batters: Sequence[str]
    # Each with an article that is a draft and one that is published.
    editors: Mapping[str, Sequence[str]]
    readers: int
    pages: Sequence[str]
    quests: Sequence[Quest]
    sign_ins: Sequence[str]
    issuer: int


class Crowd:
    def __init__(self, plan: Plan, clock: Clock, journal: Journal) -> None:
        self.plan, self.clock, self.journal = plan, clock, journal
        self._forms = 0

    def browser(self, session: str = "") -> Browser:
        return Browser(self.plan["port"], self.clock, self.journal, session=session)

    def everybody(self) -> list[Coroutine[Any, Any, None]]:
        plan, seconds = self.plan, self.plan["seconds"]
        return [
            *(self.scout(number, session) for number, session in enumerate(plan["scouts"])),
            self.scorer(),
            self.follower(),
            *(self.viewer(number * WATCHES / plan["viewers"]) for number in range(plan["viewers"])),
            *(self.editor(number, session) for number, session in enumerate(plan["editors"])),
            *(
                self.reader(number, number * READS_A_PAGE / plan["readers"])
                for number in range(plan["readers"])
            ),
            # Not at the same moments as each other or as everybody else.
            *(
                self.quest(quest, (number + 0.3) * seconds / len(plan["quests"]))
                for number, quest in enumerate(plan["quests"])
            ),
            *(
                self.sign_in(sub, (number + 0.7) * seconds / len(plan["sign_ins"]))
                for number, sub in enumerate(plan["sign_ins"])
            ),
        ]

    # --- Scouting ---

    async def scout(self, number: int, session: str) -> None:
        browser, robots = self.browser(session), self.plan["scouts"][session]
        due = AFTER_A_MATCH * number / len(self.plan["scouts"])
        await browser.get("stand form: open", due / 2, STAND)
        for index, (match, team) in enumerate(robots):
            self._forms += 1
            fields = {
                "event": self.plan["event"],
                "match": match,
                "team": team,
                "q_autoFuel": index,
                "q_teleFuel": number,
                "comments": f"Scout {number}, {match}, {team}",
                "once": str(uuid4()),
            }
            at = due + index * SENDS_A_FORM + AFTER_A_MATCH / 2
            if at > self.plan["seconds"]:
                return
            senders = [browser, browser.beside()] if self._forms % TWICE_EVERY == 0 else [browser]
            answers = await asyncio.gather(
                *(each.post("stand form: send", at, STAND, fields) for each in senders)
            )
            for answer in answers:
                if answer.status == 302:
                    self.journal.note("form", match, team, index, number, fields["comments"])
            if answers[0].status == 302:
                await browser.get("stand form: open", self.clock.now, answers[0].headers["location"])

    # --- Softball ---

    async def scorer(self) -> None:
        browser, plan = self.browser(self.plan["scorer"]), self.plan
        batters = plan["batters"]
        for count, due in enumerate(_times(RECORDS_A_PLAY / 2, RECORDS_A_PLAY, plan["seconds"])):
            result, batter = RESULTS[count % len(RESULTS)], batters[count % len(batters)]
            fields = {"result": result, "player": batter, "seen": count}
            answer = await browser.post("play: record", due, f"{plan['game']}record/", fields)
            if answer.status != 302:
                return
            self.journal.note("play", count, result, batter)
            await browser.get("play: screen", self.clock.now, f"{plan['game']}score/")

    async def follower(self) -> None:
        """Another scorer's open page."""
        browser, game = self.browser(self.plan["scorer"]), self.plan["game"]
        page = await browser.get("play: screen", 0, f"{game}score/")
        seen = _found(r"score/changes/\?seen=(\d+)", page.body)
        for due in _times(FOLLOWS_THE_SCORE, FOLLOWS_THE_SCORE, self.plan["seconds"]):
            answer = await browser.get(
                "play: poll", due, f"{game}score/changes/?seen={seen}", expect=(200, 204), headers=HTMX
            )
            seen = _found(r"score/changes/\?seen=(\d+)", answer.body) or seen

    async def viewer(self, begin: float) -> None:
        browser, seen = self.browser(), ""
        page = await browser.get("live page: open", begin, self.plan["live"])
        seen = _found(r'\?seen=([^"]+)"', page.body)
        for due in _times(begin + WATCHES, WATCHES, self.plan["seconds"]):
            answer = await browser.get(
                "live page: poll", due, f"{self.plan['live']}?seen={seen}", expect=(200, 204), headers=HTMX
            )
            seen = _found(r'\?seen=([^"]+)"', answer.body) or seen

    # --- The website ---

    async def editor(self, number: int, session: str) -> None:
        """In turns an article that is a draft, and one that readers see."""
        browser, articles = self.browser(session), self.plan["editors"][session]
        begin = EDITS * number / len(self.plan["editors"])
        for cycle, due in enumerate(_times(begin, 5 * EDITS, self.plan["seconds"] - 4 * EDITS)):
            key, button = articles[cycle % 2], ("save", "publish")[cycle % 2]
            title = f"Bericht {number} Stand {cycle}"
            await browser.get("editors: list", due, "/cms/news/")
            page = await browser.get("editors: open", due + EDITS, f"/cms/news/{key}/")
            if page.status == 200:
                form = _Form("record-form")
                form.feed(page.body)
                await self._edit(browser, key, form, f"{title}{BEGUN}", "autosave", due + 2 * EDITS)
                await self._edit(browser, key, form, title, button, due + 3 * EDITS)
            await browser.get("editors: search", due + 4 * EDITS, f"/cms/news/?q=Bericht+{number}")

    async def _edit(
        self, browser: Browser, key: str, form: _Form, title: str, button: str, due: float
    ) -> None:
        # A browser with JavaScript sends the document in its place.
        form.fields.pop("content", None)
        form.fields |= {"title": [title], "content-document": [_document(title)], "once": [str(uuid4())]}
        to = "autosave" if button == "autosave" else ""
        answer = await browser.post(
            f"editors: {button}",
            due,
            f"/cms/news/{key}/{to}",
            {**form.fields, "then": button},
            expect=(200,),
            headers=HTMX,
        )
        if answer.status == 200:
            self.journal.note(button, key, title)
        for name in VERSIONS:
            if found := _found(rf'name="{name}" value="(\d*)"', answer.body):
                form.fields[name] = [found]

    async def reader(self, number: int, begin: float) -> None:
        browser, pages = self.browser(), self.plan["pages"]
        for count, due in enumerate(_times(begin, READS_A_PAGE, self.plan["seconds"])):
            page = pages[(number + count) % len(pages)]
            await browser.get(f"website: {re.sub(r'-[0-9]+', '', page)}", due, page)

    # --- Quests ---

    async def quest(self, quest: Quest, begin: float) -> None:
        """Taken on, by one person or by two at once, done, and confirmed by both sides."""
        key, performers = quest["key"], quest["performers"]
        address = f"/quests/{key}/do/"

        async def claim(sub: str, browser: Browser) -> bool:
            # Of two people one comes too late, and is told so.
            expect = (302, 409) if len(performers) > 1 else (302,)
            answer = await browser.post("quest: claim", begin, f"{address}claim", {}, expect=expect)
            if answer.status == 302:
                self.journal.note("claim", key, sub)
            return answer.status == 302

        browsers = {sub: self.browser(session) for sub, session in performers.items()}
        has_won = await asyncio.gather(*(claim(*each) for each in browsers.items()))
        for sub in [sub for sub, won in zip(browsers, has_won, strict=True) if won][:1]:
            performer, creator = browsers[sub], self.browser(quest["creator"])
            steps: list[tuple[Browser, str, dict[str, str]]] = [
                (performer, "submit", {"text": WORK}),
                (creator, "attest", {}),
                (performer, "attest", {}),
            ]
            for browser, verb, fields in steps:
                due = max(begin + 2, self.clock.now)
                answer = await browser.post(f"quest: {verb}", due, f"{address}{verb}", fields)
                if answer.status != 302:
                    break
                self.journal.note(verb, key, sub)
            creator.close()
        for browser in browsers.values():
            browser.close()

    # --- Signing in ---

    async def sign_in(self, sub: str, due: float) -> None:
        """The whole code flow; whoever is not let in begins again."""
        while not self.clock.is_over:
            browser = self.browser()
            managed = await browser.get("sign in: begin", due, "/auth/login", expect=(302,))
            if managed.status == 302:
                issuer = Browser(self.plan["issuer"], self.clock, Journal())
                place = urlsplit(managed.headers["location"])
                back = await issuer.get("", self.clock.now, f"{place.path}?{place.query}&login_hint={sub}")
                issuer.close()
                place = urlsplit(back.headers["location"])
                callback = f"{place.path}?{place.query}"
                answer = await browser.get("sign in: callback", self.clock.now, callback, expect=(302,))
                if answer.status == 302:
                    self.journal.note("sign-in", sub, browser.cookies["__Host-session"])
                    await browser.get("Home", self.clock.now, "/desk/")
                    browser.close()
                    return
            browser.close()
            due = self.clock.now + 1


def _times(begin: float, every: float, end: float) -> Iterator[float]:
    """The times from `begin` on, before the end."""
    due = begin
    while due < end:
        yield due
        due += every


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""


def _document(text: str) -> str:
    words = {"type": "text", "text": f"{text}. {'Fünf Sätze. ' * 150}".strip()}
    return json.dumps({"type": "doc", "content": [{"type": "paragraph", "content": [words]}]})
