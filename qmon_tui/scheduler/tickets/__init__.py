"""Tickets: the functional, override and share-tree policies (tickets.md)."""
