"""How anything is stored: connection, items, repository, transactions, history, search, guards, tables."""
