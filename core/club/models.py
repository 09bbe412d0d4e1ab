"""The item with the settings of the club."""

from functools import cached_property
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import BinaryAttribute, UnicodeAttribute

from core.common.languages import supported
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute
from core.dynamo.errors import Text
from core.dynamo.items import Item
from core.dynamo.support_table import SupportItem

CLUB, SETTINGS, LOGO = "CLUB", "SETTINGS", "LOGO#"
MOST_INITIALS = 3
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


class StoredLogo(SupportItem):
    """PK CLUB, SK LOGO#<name>. It never changes and stays, so that an earlier version has its logo again."""

    data = BinaryAttribute(legacy_encoding=False)


class ClubSettings(SupportItem, Item):
    """PK CLUB, SK SETTINGS. Until an administrator saves, it is what the environment variables say."""

    name = UnicodeAttribute()
    # For narrow places, such as the top bar of a phone.
    short_name = UnicodeAttribute(attr_name="shortName", null=True)
    # Its name, width and height: the size says only what its shape is.
    logo = JSONMapAttribute(null=True)
    # As #rrggbb; without one, those of the style sheet.
    colour = UnicodeAttribute(null=True)
    second_colour = UnicodeAttribute(attr_name="secondColour", null=True)
    time_zone = UnicodeAttribute(attr_name="timeZone")
    # Of the club's content and of the website; the interface may have another one for each person.
    language = UnicodeAttribute()
    address = UnicodeAttribute(null=True)
    email = UnicodeAttribute(null=True)
    phone = UnicodeAttribute(null=True)
    # What the imprint says besides.
    legal_name = UnicodeAttribute(attr_name="legalName", null=True)
    represented_by = UnicodeAttribute(attr_name="representedBy", null=True)
    register = UnicodeAttribute(null=True)
    tax_id = UnicodeAttribute(attr_name="taxId", null=True)
    responsible = UnicodeAttribute(null=True)
    # The domains that are switched off.
    off = JSONListAttribute(default=list)
    # The entries of the website's menu; without any, its usual ones: see `cms.site.menu`.
    menu = JSONListAttribute(default=list)

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
    def colours(self) -> str:
        """The colours as they stand in the address of the style sheet; empty without own ones."""
        chosen = filter(None, (self.colour, self.second_colour if self.colour else None))
        return "-".join(colour.removeprefix("#") for colour in chosen)

    @cached_property
    def initials(self) -> str:
        """At most three letters, for an icon where there is no logo."""
        short = (self.short_name or "").strip()
        if len(short) <= MOST_INITIALS and short.isalnum():
            return short
        words = [word for word in self.name.split() if word[0].isalnum()]
        return "".join(word[0] for word in words[:MOST_INITIALS]).upper()

    @cached_property
    def domains(self) -> dict[str, Text]:
        """The domains that the club uses, with their titles."""
        return {domain: title for domain, title in DOMAINS.items() if self.is_on(domain)}

    @cached_property
    def _off(self) -> frozenset[str]:
        return frozenset(self.off).intersection(DOMAINS)
