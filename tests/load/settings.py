"""How large the club is, and how often each of its people does something."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# How often somebody does something, in seconds.
SENDS_A_FORM = 20
RECORDS_A_PLAY = 20
# As their pages do.
WATCHES = 15
FOLLOWS_THE_SCORE = 8
READS_A_PAGE = 12
EDITS = 5
# Scouts send within so many seconds after a match, not evenly.
AFTER_A_MATCH = 10
# Every so many of all forms are sent twice, with one key.
TWICE_EVERY = 10
# Every so many quests are taken on by two people at the same moment.
CONTESTED_EVERY = 4

# A refusal in this time after the engine or the worker is back still belongs to its outage: a request waits
# up to 2.5 s for DynamoDB, and who was refused tries again after a second.
GRACE_SECONDS = 5.0
ENGINE_IS_DEAD_SECONDS = 2.0


@dataclass(frozen=True)
class Club:
    seconds: int
    scouts: int
    viewers: int
    editors: int
    readers: int
    claims_a_minute: int
    sign_ins_a_minute: int
    # Of the web workers and the streams' worker, beside those of production.
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def claims(self) -> int:
        return self._in_all(self.claims_a_minute)

    @property
    def sign_ins(self) -> int:
        return self._in_all(self.sign_ins_a_minute)

    @property
    def forms_of_a_scout(self) -> int:
        return -(-self.seconds // SENDS_A_FORM)

    def _in_all(self, a_minute: int) -> int:
        return round(a_minute * self.seconds / 60)


WHOLE = Club(
    seconds=300, scouts=30, viewers=200, editors=10, readers=100, claims_a_minute=20, sign_ins_a_minute=12
)
# The rates of each person are the same, but of people there are half as many: pytest shares the machine with
# other tests. However slow that is, a request waits for its turn and for DynamoDB.
SHORT = Club(
    seconds=60,
    scouts=15,
    viewers=100,
    editors=5,
    readers=50,
    claims_a_minute=10,
    sign_ins_a_minute=6,
    variables={"DJANGO_SETTINGS_MODULE": "tests.load.patient", "WEB_BACKLOG": "1000"},
)
