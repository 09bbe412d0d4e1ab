"""Deliberate breakages of the product, and the test that notices each of them."""
