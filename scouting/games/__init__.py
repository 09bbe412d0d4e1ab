"""Game definitions: the questions of a year's forms, and the points of their answers."""
