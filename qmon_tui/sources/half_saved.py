"""A folder in which a save was killed that cannot be undone here, for instance for want of the right to write."""

from qmon_tui.sources.folder_files import Listing, unread_file
from qmon_tui.sources.save_log import LogError, LoggedFile, read_log
from qmon_tui.sources.temporary_names import LOG


def as_before(folder: str, listing: Listing) -> Listing:
    """The texts as they were before the save, with a finding that says so."""
    texts, names = dict(listing.texts), set(listing.names)
    try:
        files = read_log(folder) or ()
    except LogError as error:
        message = (
            "a save of this folder was interrupted: some files may be new and others old. It cannot be undone, as"
            f" {error}"
        )
        return listing._replace(findings=(*listing.findings, unread_file(LOG, message)))
    for file in files:
        if texts.get(file.file) != file.after:
            continue  # not yet saved, or changed since
        if file.before is None:
            texts.pop(file.file, None)
            names.discard(file.file)
        else:
            texts[file.file] = file.before
            names.add(file.file)
    message = (
        f"a save of {_named(files)} was interrupted: what is shown is the folder as it was before. To restore the"
        " files, open the folder with write permission"
    )
    return listing._replace(names=sorted(names), texts=texts, findings=(*listing.findings, unread_file(LOG, message)))


def _named(files: tuple[LoggedFile, ...]) -> str:
    return ", ".join(file.file for file in files)
