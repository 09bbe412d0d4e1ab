"""Django forms that scouts fill in, built from the game definition of a year."""

from scouting.forms.forms.comment import CommentEntry
from scouting.forms.forms.pit import PitEntry
from scouting.forms.forms.stand import StandEntry

__all__ = ["CommentEntry", "PitEntry", "StandEntry"]
