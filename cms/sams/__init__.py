"""SAMS, the association's service for leagues and results: client, syncs, stored records and queries."""
