"""Replacing a file so that a reader sees the old text or the new one, never a part; its attributes are kept.

These are owner, group, permissions, ACL and other extended attributes (xattr(7)).
"""

import contextlib
import errno
import os
import time
from pathlib import Path
from typing import Final

from qmon_tui.sources.folder_files import TEMPORARY_PREFIX
from qmon_tui.sources.regular_file import refuse_others

_ACL: Final = "system.posix_acl_access"
_NAMELESS: Final = getattr(os, "O_TMPFILE", 0)


def copy_attributes(descriptor: int, original: str) -> tuple[str, ...]:
    """Copy all attributes of `original` to an open file; return those that cannot be copied. Raises OSError."""
    old, new = os.stat(original), os.fstat(descriptor)
    lost: list[str] = []
    if old.st_uid != new.st_uid and not _change_owner(descriptor, old.st_uid, -1):
        lost.append(f"its owner becomes {_user(new.st_uid)}, who saves it, instead of {_user(old.st_uid)}")
    mode = old.st_mode & 0o7777
    if old.st_gid != new.st_gid and not _change_owner(descriptor, -1, old.st_gid):
        lost.append(f"its group becomes {_group(new.st_gid)} instead of {_group(old.st_gid)}")
        # Permissions of the old group are not for the new one, which gets those of all others.
        mode = mode & 0o707 | (mode & 0o007) << 3
    wanted, present = _attribute_names(original), _attribute_names(descriptor)
    unset = [name for name in sorted(wanted - {_ACL}) if not _copy_attribute(descriptor, original, name)]
    # After the attributes, which need a writable file, and before the ACL, whose mask is the group's permissions.
    os.fchmod(descriptor, mode)
    if _ACL in wanted and not _copy_attribute(descriptor, original, _ACL):
        unset.append("its ACL")
    elif _ACL in present - wanted:  # the folder gives it to each new file
        with contextlib.suppress(OSError):
            os.removexattr(descriptor, _ACL)
            os.fchmod(descriptor, mode)
    return (*lost, f"{', '.join(unset)} cannot be kept") if unset else tuple(lost)


def cannot_keep(path: str) -> tuple[str, ...]:
    """Return the attributes that replacing a file loses, a clause each; found by trying on a nameless file."""
    place = os.path.realpath(path)
    try:
        status = os.stat(place)
    except OSError:
        return ()
    lost: list[str] = []
    if status.st_nlink > 1:
        lost.append(f"it is one file with {status.st_nlink} names (hard links): the others keep the old text")
    try:
        descriptor = os.open(os.path.dirname(place), _NAMELESS | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError:
        return tuple(lost)  # saving says what is the matter
    try:
        lost += copy_attributes(descriptor, place)
    except OSError as error:
        lost.append(f"its attributes cannot be kept: {error.strerror}")
    finally:
        os.close(descriptor)
    return tuple(lost)


def _change_owner(descriptor: int, user: int, group: int) -> bool:
    with contextlib.suppress(PermissionError):
        os.fchown(descriptor, user, group)
        return True
    return False


def _copy_attribute(descriptor: int, original: str, name: str) -> bool:
    """Copy one extended attribute; False if that is not possible."""
    with contextlib.suppress(OSError):
        value = os.getxattr(original, name)
        if name not in _attribute_names(descriptor) or os.getxattr(descriptor, name) != value:
            os.setxattr(descriptor, name, value)
        return True
    return False


def _attribute_names(file: int | str) -> frozenset[str]:
    try:
        return frozenset(os.listxattr(file))
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENOSYS):
            return frozenset()
        raise


def _user(number: int) -> str:
    import pwd  # late: files of other owners are rare

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def _group(number: int) -> str:
    import grp  # late: files of other owners are rare

    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return f"group {number}"


_LONGEST_WRITE_SECONDS: Final = 3600


def replace_file(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file through a temporary one in the same folder, following links; keep its attributes if possible.

    `private` gives a new file mode 0600. Raises OSError.
    """
    try:
        target = os.path.realpath(path)
    except UnicodeEncodeError:
        raise OSError(errno.EILSEQ, "file names have no such letters in this locale, set LC_ALL=C.UTF-8") from None
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    refuse_others(target)
    temporary = os.path.join(folder, f"{TEMPORARY_PREFIX}{os.getpid()}-{os.urandom(6).hex()}")
    try:
        write_beside(temporary, content, target, private=private)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    sync_folder(folder)


def write_beside(path: str, content: str | bytes, like: str, *, private: bool = False) -> None:
    """Write a new file, durably, with the attributes of `like`, if that exists. Raises OSError."""
    # A new file gets its mode from umask and the folder's ACL, which only the system knows.
    old = not private and os.path.lexists(like)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600 if old or private else 0o666)
    try:
        if old:
            copy_attributes(descriptor, like)
        write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: str | bytes) -> None:
    """Write everything. Raises OSError."""
    rest = memoryview(content.encode("utf-8") if isinstance(content, str) else content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def remove_unfinished(folder: str | os.PathLike[str]) -> None:
    """Remove the temporary files of killed programs from a folder: those older than an hour."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(TEMPORARY_PREFIX) and time.time() - entry.stat().st_mtime > _LONGEST_WRITE_SECONDS:
                os.unlink(entry.path)


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Make the names in a folder durable, if the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
