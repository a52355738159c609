"""Attributes of a file: owner, group, permissions, ACL and other extended attributes (xattr(7))."""

import contextlib
import errno
import os
from typing import Final

_ACL: Final = "system.posix_acl_access"
_NAMELESS: Final = getattr(os, "O_TMPFILE", 0)


def copy_attributes(descriptor: int, original: str) -> tuple[str, ...]:
    """Copy all attributes of `original` to an open file; return those that cannot be copied. Raises OSError."""
    old, new = os.stat(original), os.fstat(descriptor)
    lost: list[str] = []
    if old.st_uid != new.st_uid and not _owned(descriptor, old.st_uid, -1):
        lost.append(f"its owner becomes {_user(new.st_uid)}, who saves it, instead of {_user(old.st_uid)}")
    mode = old.st_mode & 0o7777
    if old.st_gid != new.st_gid and not _owned(descriptor, -1, old.st_gid):
        lost.append(f"its group becomes {_group(new.st_gid)} instead of {_group(old.st_gid)}")
        # Permissions of the old group are not for the new one, which gets those of all others.
        mode = mode & 0o707 | (mode & 0o007) << 3
    wanted, present = _names(original), _names(descriptor)
    unset = [name for name in sorted(wanted - {_ACL}) if not _given(descriptor, original, name)]
    # After what only a file that may be written takes, and before the ACL, whose mask the group's permissions are.
    os.fchmod(descriptor, mode)
    if _ACL in wanted and not _given(descriptor, original, _ACL):
        unset.append("its ACL")
    elif _ACL in present - wanted:  # the folder gives it to each new file
        with contextlib.suppress(OSError):
            os.removexattr(descriptor, _ACL)
            os.fchmod(descriptor, mode)
    return (*lost, f"{', '.join(unset)} cannot be kept") if unset else tuple(lost)


def cannot_keep(path: str) -> tuple[str, ...]:
    """Return the attributes that replacing a file loses, each as a sentence without its subject; found by trying."""
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


def _owned(descriptor: int, user: int, group: int) -> bool:
    with contextlib.suppress(PermissionError):
        os.fchown(descriptor, user, group)
        return True
    return False


def _given(descriptor: int, original: str, name: str) -> bool:
    """Copy one extended attribute; False if that is not possible."""
    with contextlib.suppress(OSError):
        value = os.getxattr(original, name)
        if name not in _names(descriptor) or os.getxattr(descriptor, name) != value:
            os.setxattr(descriptor, name, value)
        return True
    return False


def _names(file: int | str) -> frozenset[str]:
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
