"""The open document: revisions, undo, findings, difference, saving, and the live re-run of the scheduler."""
