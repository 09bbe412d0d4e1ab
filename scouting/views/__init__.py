"""The screens of scouting, one module each."""
