"""What is to be said of one object while it is being edited."""

from collections.abc import Iterable, Iterator

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.findings import Finding


def read_of(
    findings: Iterable[Finding], saved: ConfigObject | None, candidate: ConfigObject, name: str
) -> Iterator[Finding]:
    """What reading the files has found about an object, but for the fields that saving would write anew."""
    for finding in findings:
        if finding.kind == candidate.kind and finding.name == name:
            field = finding.field
            if saved is None or field is None or candidate.given(field) == saved.given(field):
                yield finding
