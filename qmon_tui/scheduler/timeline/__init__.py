"""The future of a run: what is in use when, and from when on a job that cannot start now could (dispatch.md 9)."""
