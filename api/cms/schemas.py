"""The answers of the website and of its content. With `fields=`, an answer has only those."""

from typing import Annotated

from pydantic import BaseModel, Field

from api.fields import Moment

Number = int | float


class Picture(BaseModel):
    """A picture in its sizes; `srcset` and `webpSrcset` are as in HTML, empty if there is one size."""

    address: Annotated[str, Field(description="The file in full size.")]
    thumbnail: str
    srcset: str
    webpSrcset: str
    alt: str
    caption: str
    width: int | None
    height: int | None


class Listed(BaseModel):
    """What everything with a page on the website has."""

    id: str | None = None
    slug: str | None = None
    page: Annotated[str | None, Field(description="The address of its page, if it has one.")] = None


class WithCover(BaseModel):
    picture: Annotated[Picture | None, Field(description="Only with `pictures=true`.")] = None


class ArticleListed(Listed):
    """A published article in a list."""

    title: str | None = None
    excerpt: str | None = None
    publishedDate: Moment | None = None


class ArticleRow(ArticleListed, WithCover):
    """A published article in a list; its first picture is the cover."""


class Article(ArticleListed):
    """A published article; `html` is its text as on the website, safe to be shown."""

    html: str | None = None
    tags: list[str] | None = None
    authors: Annotated[list[str] | None, Field(description="Their names.")] = None
    pictures: list[Picture] | None = None


class EventListed(Listed):
    title: str | None = None
    variant: str | None = None
    startDate: Moment | None = None
    endDate: Moment | None = None
    place: Annotated[str | None, Field(description="The address on one line.")] = None


class EventRow(EventListed, WithCover):
    """A published event in a list."""


class TeamName(BaseModel):
    name: str
    slug: str | None


class Event(EventListed):
    """A published event; `html` is its text as on the website, safe to be shown."""

    html: str | None = None
    teams: list[TeamName] | None = None
    pictures: list[Picture] | None = None


class TeamListed(Listed):
    name: str | None = None
    gender: str | None = None
    age: Number | None = None
    league: str | None = None


class TeamRow(TeamListed, WithCover):
    """A published team in a list."""


class Place(BaseModel):
    name: str
    address: str


class Training(BaseModel):
    days: list[str]
    startTime: str
    endTime: str
    location: Place | None


class Team(TeamListed):
    """A published team. Coaches and contacts are names: how to reach them is on the page of the team."""

    description: str | None = None
    instagram: str | None = None
    trainings: list[Training] | None = None
    coaches: list[str] | None = None
    contacts: list[str] | None = None
    pictures: list[Picture] | None = None


class Sponsor(WithCover):
    """A sponsor that has not expired; its picture is the logo."""

    id: str | None = None
    name: str | None = None
    website: str | None = None
    description: str | None = None
