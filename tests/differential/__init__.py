"""The proof of the project's promise: the same work through a real qmaster 8.1.9 and through qmon-tui."""
