"""The association's results service (SAMS): what is read there and what we make of it."""
