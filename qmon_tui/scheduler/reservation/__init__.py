"""Time ahead: resource diagrams, backfilling, advance reservations."""
