"""The text of a policy as typed on the page: a revision of the folder, edits, or both."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.simulation import Scenario, Subject, apply_edits, read_edit
from qmon_tui.sources import SourceError

_REVISION: Final = re.compile(r"@\{([^{}]+)\}(?:\s+|$)(.*)", re.DOTALL)


class PolicyText(NamedTuple):
    """Parts of a policy's text."""

    revision: str
    """`1` for the previous revision, or a name; empty for the present cluster."""
    edits: tuple[str, ...]


def read_policy_text(text: str) -> PolicyText:
    """Parse a text such as `@{1} scheduler.weight_urgency=1`; either part may be missing."""
    at = _REVISION.fullmatch(text.strip())
    return PolicyText(at[1], tuple(at[2].split())) if at is not None else PolicyText("", tuple(text.split()))


def check_policy_text(text: str, now: Subject) -> None:
    """Raise EditError for edits that cannot be made in the present cluster; those of a revision are not checked."""
    policy = read_policy_text(text)
    if not policy.revision:  # `scenario_of` checks edits of a revision, once it is read
        apply_edits(now, [read_edit(now.cluster, word) for word in policy.edits])


def scenario_of(text: str, now: Scenario, folder: Path | None) -> Scenario:
    """Return the scenario of a policy, with the work of the present cluster. Raises EditError, SourceError."""
    policy = read_policy_text(text)
    if policy.revision:
        if folder is None:
            raise SourceError("a running cluster has no earlier revisions: give one of a folder")
        from qmon_tui.sources.revisions import read_revision  # late: few policies are of the past

        try:
            earlier = read_revision(folder, policy.revision)
        except OSError as error:
            raise SourceError(f"{folder} cannot be read: {error.strerror}") from None
        now = replace(now, cluster=earlier.cluster, home=now.home or now.cluster)
    return replace(now, edits=tuple(read_edit(now.cluster, word) for word in policy.edits))
