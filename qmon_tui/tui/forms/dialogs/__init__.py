"""Dialogs that find the new text of one field: pickers, tables, and helpers for times and amounts."""
