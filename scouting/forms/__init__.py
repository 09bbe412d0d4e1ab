"""What scouts fill in: Django forms made from the definition of a year's game."""

from scouting.forms.comment import CommentEntry
from scouting.forms.pit import PitEntry
from scouting.forms.stand import StandEntry

__all__ = ["CommentEntry", "PitEntry", "StandEntry"]
