"""Widgets subclassed once for the whole program: they show user text literally, never as markup."""
