"""How anything is stored: connection, items, repository, paging, transactions, history, search, guards, tables."""
