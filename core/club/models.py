"""The item with the settings of the club."""

from functools import cached_property
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute

from core.common.languages import supported
from core.dynamo.attributes import JSONListAttribute
from core.dynamo.errors import Text
from core.dynamo.items import Item
from core.dynamo.support_table import SupportItem

CLUB, SETTINGS = "CLUB", "SETTINGS"
# What a club can switch off, by the first part of the names of its rights.
DOMAINS: dict[str, Text] = {
    "cms": _("Website"),
    "scouting": _("Scouting"),
    "quests": _("Quests"),
    "tracker": _("Softball"),
}


# Namespaces of URLs, and parts of the API, that are not called like their domain.
OTHER_NAMES = {"public": "cms", "website": "cms"}


def domain_of(name: str) -> str:
    """The domain of a namespace or of a part of the API; the same name if it belongs to none."""
    return OTHER_NAMES.get(name, name)


class ClubSettings(SupportItem, Item):
    """PK CLUB, SK SETTINGS. Until an administrator saves, it is what the environment variables say."""

    name = UnicodeAttribute()
    time_zone = UnicodeAttribute(attr_name="timeZone")
    # Of the club's content and of the website; the interface may have another one for each person.
    language = UnicodeAttribute()
    # The domains that are switched off.
    off = JSONListAttribute(default=list)

    @classmethod
    def default(cls) -> Self:
        return cls(
            pk=CLUB,
            sk=SETTINGS,
            name=settings.CLUB_NAME,
            time_zone=settings.TIME_ZONE,
            language=settings.CLUB_LANGUAGE,
        )

    @cached_property
    def texts_language(self) -> str:
        """The language of our texts around the club's content: the club's, or English if we lack it."""
        return supported(self.language) or settings.LANGUAGE_CODE

    @cached_property
    def zone(self) -> ZoneInfo:
        """That of the environment if this machine does not know the stored one."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo(settings.TIME_ZONE)

    def is_on(self, domain: str) -> bool:
        """Whether the club uses a domain; what belongs to none of DOMAINS is always on."""
        return domain not in self._off

    @cached_property
    def domains(self) -> dict[str, Text]:
        """The domains that the club uses, with their titles."""
        return {domain: title for domain, title in DOMAINS.items() if self.is_on(domain)}

    @cached_property
    def _off(self) -> frozenset[str]:
        return frozenset(self.off).intersection(DOMAINS)
