"""The club itself: its name, logo, colours, language and time zone, and which domains it uses."""
