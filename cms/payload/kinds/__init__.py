"""The collections of Payload that have a place here, in an order in which their relations resolve."""

from cms.payload.kinds import article, booking, event, location, media_file, member, role, sponsor, team

KINDS = (
    role.KIND,
    location.KIND,
    media_file.KIND,
    member.KIND,
    team.KIND,
    article.KIND,
    event.KIND,
    sponsor.KIND,
    booking.KIND,
)
