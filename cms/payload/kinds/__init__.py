"""The Payload collections that are imported, ordered so that a relation's target comes first."""

from cms.payload.kinds import booking, club, event, media_file, news, team

KINDS = (
    club.ROLES,
    club.LOCATIONS,
    media_file.KIND,
    club.MEMBERS,
    team.KIND,
    news.KIND,
    event.KIND,
    club.SPONSORS,
    booking.KIND,
)
