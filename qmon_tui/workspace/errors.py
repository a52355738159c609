"""What a workspace refuses."""


class EditError(ValueError):
    """An edit that cannot be made; the text is a sentence for the user."""


class WorkspaceError(Exception):
    """Something that cannot be done now; the text is a sentence for the user."""
