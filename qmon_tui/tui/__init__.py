"""Everything Textual: application, screens, widgets, dialogs, themes and the key registry."""
