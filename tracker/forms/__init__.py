"""The forms of the tracker."""
