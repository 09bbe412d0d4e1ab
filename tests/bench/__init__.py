"""What our pages cost, beside Django's own admin and the bare floor: `make bench`."""
