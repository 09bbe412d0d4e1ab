"""The club's website content: news, events, teams, members, roles, locations, media, sponsors, bus, SAMS."""
