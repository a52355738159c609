"""Advance reservations: what is kept free for them, and where the jobs in them run (dispatch.md section 15)."""
