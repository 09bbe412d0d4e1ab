"""Import from SuperAlliance: exports of its MongoDB collections."""
