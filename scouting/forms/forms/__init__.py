"""What scouts fill in: Django forms made from the definition of a year's game."""

from scouting.forms.forms.comment import CommentEntry
from scouting.forms.forms.pit import PitEntry
from scouting.forms.forms.stand import StandEntry

__all__ = ["CommentEntry", "PitEntry", "StandEntry"]
