"""The collections of Payload that have a place here, in an order in which their relations resolve."""

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
