"""Check the list of complex entries as a whole.

Source: complex.md#names-and-shortcuts-are-unique and complex.md#how-a-file-is-applied.
"""

from collections.abc import Iterator, Mapping

from qmon_tui.checks.complex_warnings import entry_warnings
from qmon_tui.checks.complexes import column_errors, unreadable, urgency_errors
from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    Origin,
    config_object,
    default_complexes,
    dialect,
    memoized,
)

_book = RuleBook(Kind.COMPLEX, "complex.md#name")

TAKEN = _book.error("taken", "A word is the name or the shortcut of one attribute only.")
BUILT_IN_MISSING = _book.error("builtin.missing", "The built-in attributes are all there.", "#built-in-attributes")

# The qmaster adds this complex itself, so that saved lists of other versions may lack it.
_ADDED_BY_ITSELF = "m_thread"


def entry_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one entry, compared with all other entries of the cluster."""
    unread = list(unreadable(obj, dialect(cluster.dialect).words))
    yield from unread
    taken = list(_taken(cluster, obj, others_too=True))
    yield from taken if unread else _readable(cluster, obj, taken)


def list_findings(cluster: Cluster) -> Iterator[Finding]:
    """Yield all findings about all entries; unreadable ones first, because qconf reads the whole file first."""
    entries = cluster.objects(Kind.COMPLEX)
    words = dialect(cluster.dialect).words
    unread = {name: findings for name, obj in entries.items() if (findings := list(unreadable(obj, words)))}
    for findings in unread.values():
        yield from findings
    for obj in entries.values():
        taken = list(_taken(cluster, obj, others_too=False))
        taken += [also for finding in taken for also in _earlier(cluster, obj, finding)]
        yield from taken if obj.name in unread else _readable(cluster, obj, taken)
    if entries:
        where = next((Origin(obj.origin.file) for obj in entries.values() if obj.origin), None)
        needless = {_ADDED_BY_ITSELF, *dialect(cluster.dialect).not_built_in}
        for built_in in default_complexes():
            if built_in.name not in entries and built_in.name not in needless:
                absent = config_object(Kind.COMPLEX, built_in.name, {}, where)
                message = f'The built-in complex "{built_in.name}" cannot be deleted'
                yield BUILT_IN_MISSING.finding(absent, None, message, "The qmaster keeps it as it is: list it again.")


def already_taken(obj: ConfigObject) -> Finding:
    """Return the finding for a second entry of the same name."""
    return TAKEN.finding(obj, "name", _already(obj))


def _readable(cluster: Cluster, obj: ConfigObject, taken: list[Finding]) -> Iterator[Finding]:
    """Yield findings about a readable entry, including `taken`, the findings about its name and shortcut."""
    urgency = list(urgency_errors(obj))
    columns = list(column_errors(obj))
    yield from urgency
    yield from taken
    yield from columns
    if not urgency and not columns:
        yield from entry_warnings(cluster, obj)


def _taken(cluster: Cluster, obj: ConfigObject, *, others_too: bool) -> Iterator[Finding]:
    """Yield a finding if an earlier entry (with `others_too`: any entry) has this one's name or shortcut."""
    position, owners = _owners(cluster.objects(Kind.COMPLEX))
    own = position.get(obj.name, len(position))
    for field, word in (("name", obj.name), ("shortcut", obj.text("shortcut"))):
        rivals = [name for name in owners.get(word, ()) if name != obj.name and (others_too or position[name] < own)]
        if rivals and word:
            hint = f'"{word}" is a name or a shortcut of {", ".join(rivals)}.'
            yield TAKEN.finding(obj, field, _already(obj), hint)
            return


def _earlier(cluster: Cluster, obj: ConfigObject, finding: Finding) -> Iterator[Finding]:
    """Yield the same finding for earlier entries with the word, since the user may want to change those."""
    word = obj.name if finding.field == "name" else obj.text("shortcut")
    position, owners = _owners(cluster.objects(Kind.COMPLEX))
    for name in owners[word]:
        if position[name] < position[obj.name]:
            rival = cluster.objects(Kind.COMPLEX)[name]
            field = "name" if name == word else "shortcut"
            yield TAKEN.finding(rival, field, _already(rival), f'"{word}" is a name or a shortcut of {obj.name}.')


def _already(obj: ConfigObject) -> str:
    return f"complex with name {obj.name} or shortcut {obj.text('shortcut')} already exists"


@memoized(size=8)
def _owners(entries: Mapping[str, ConfigObject]) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Return entry -> its place, and word -> entries that have it as name or shortcut."""
    owners: dict[str, list[str]] = {}
    for obj in entries.values():
        for word in dict.fromkeys((obj.name, obj.text("shortcut"))):
            owners.setdefault(word, []).append(obj.name)
    return {name: place for place, name in enumerate(entries)}, owners
