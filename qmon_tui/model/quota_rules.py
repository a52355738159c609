"""One limit rule of a resource quota set, taken apart.

Source: sge_resource_quota(5), validation/formats.md section 5.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

FILTERS = ("users", "projects", "pes", "queues", "hosts")
_KEYWORDS = ("name", *FILTERS, "to")
# A filter in braces may contain blanks, everything else ends at a blank.
_TOKEN = re.compile(r"\{[^}]*\}?|[^\s{]+")


@dataclass(frozen=True, slots=True)
class QuotaFilter:
    """What one clause such as `users {*,!root}` lets through; an expanded one counts each separately."""

    names: tuple[str, ...]
    excluded: tuple[str, ...]
    expanded: bool


@dataclass(frozen=True, slots=True)
class QuotaRule:
    """One rule: its filters by keyword, and its limits as (attribute, text) in order."""

    name: str | None
    filters: Mapping[str, QuotaFilter]
    limits: tuple[tuple[str, str], ...]


@lru_cache(maxsize=4096)
def parse_rule(text: str) -> QuotaRule:
    """Read one rule without the word `limit`; clauses may stand in any order. Raises ValueError in plain words."""
    clauses: dict[str, str] = {}
    keyword = ""
    for token in _TOKEN.findall(text):
        if token in _KEYWORDS and (not keyword or clauses[keyword]):
            if token in clauses:
                raise ValueError(f'attribute "{token}" appears more than once')
            keyword = token
            clauses[token] = ""
        elif not keyword:
            raise ValueError(f'unknown attribute name "{token}"')
        else:
            clauses[keyword] += token
    if "to" not in clauses:
        raise ValueError(f'the rule "{text}" has no limit: write `to` and attribute=value')
    filters = {name: _filter(clauses[name]) for name in FILTERS if name in clauses}
    used = {name: made for name, made in filters.items() if made.names or made.excluded}
    return QuotaRule(clauses.get("name"), MappingProxyType(used), _limits(clauses["to"]))


def rules_of(text: str) -> tuple[str, ...]:
    """The rules in the text of the field `limit`, one a line."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _filter(text: str) -> QuotaFilter:
    expanded = text.startswith("{")
    if expanded and not text.endswith("}"):
        raise ValueError("no valid expanded list")
    items = [item.strip() for item in text.strip("{}").split(",") if item.strip()]
    if "!" in items:
        raise ValueError("resource quota set contains invalid user filter")
    excluded = tuple(item[1:] for item in items if item.startswith("!"))
    return QuotaFilter(tuple(item for item in items if not item.startswith("!")), excluded, expanded)


def _limits(text: str) -> tuple[tuple[str, str], ...]:
    if text.upper() in ("", "NONE"):
        return ()
    pairs = (part.partition("=") for part in text.split(","))
    return tuple((name.strip(), value.strip()) for name, _, value in pairs)
