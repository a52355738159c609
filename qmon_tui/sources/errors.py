"""What can stop a source altogether; everything else is a finding."""


class SourceError(Exception):
    """The folder cannot be used; the text says what is wrong and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConflictError(SourceError):
    """Files on disk are no longer as they were read; `files` names them relative to the folder."""

    def __init__(self, files: tuple[str, ...]) -> None:
        names = ", ".join(files)
        super().__init__(f"changed on disk since they were read: {names}; reload or merge before saving")
        self.files = files
