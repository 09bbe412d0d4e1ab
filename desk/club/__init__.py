"""The settings of the club, for administrators, and its face for browsers: colours, icon and logo."""
