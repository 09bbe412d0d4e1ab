"""Bringing over what SuperAlliance had: exports of its MongoDB collections."""
