"""The terminal interface: application, screens, widgets, dialogs, themes and the key registry."""
