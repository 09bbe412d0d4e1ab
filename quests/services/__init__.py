"""Services of the quest board: all writes, and the audit."""
