"""The Payload collections that are imported, ordered so that a relation's target comes first."""

from cms.payload.kinds import booking, event, location, media_file, member, news, role, sponsor, team

KINDS = (
    role.KIND,
    location.KIND,
    media_file.KIND,
    member.KIND,
    team.KIND,
    news.KIND,
    event.KIND,
    sponsor.KIND,
    booking.KIND,
)
