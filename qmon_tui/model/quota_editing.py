"""Changes to the rules of a quota set as changes to their text: what is not changed keeps its spelling."""

from collections.abc import Iterable, Mapping, Sequence

from qmon_tui.model.quota_rules import FILTERS, QuotaFilter, written_clauses

NEW_RULE = "users {*} to slots=10"
"""What a rule begins with: valid, and easy to see in every part."""

_ORDER = ("name", *FILTERS, "to")


def with_clause(rule: str, keyword: str, word: str | None) -> str:
    """A rule with another word behind a keyword; None leaves the clause out. The others stay where they are."""
    clauses = list(written_clauses(rule))
    if not word:
        return _text(clause for clause in clauses if clause[0] != keyword)
    for place, (known, _) in enumerate(clauses):
        if known == keyword:
            return _text([*clauses[:place], (keyword, word), *clauses[place + 1 :]])
    later = _ORDER[_ORDER.index(keyword) + 1 :]
    place = next((place for place, (known, _) in enumerate(clauses) if known in later), len(clauses))
    return _text([*clauses[:place], (keyword, word), *clauses[place:]])


def with_limits(rule: str, limits: Iterable[tuple[str, str]]) -> str:
    """A rule with other limits; NONE without any, as the qmaster prints it."""
    return with_clause(rule, "to", ",".join(f"{name}={value}" for name, value in limits) or "NONE")


def filter_text(names: Iterable[str], excluded: Iterable[str], *, each: bool) -> str | None:
    """The word of a filter; None for one that names nobody, which is no filter. `each` counts each on its own."""
    clause = QuotaFilter(tuple(names), tuple(excluded), each)
    return clause.text() if clause.names or clause.excluded else None


def changed(rules: Sequence[str], place: int, rule: str) -> str:
    """The field's text with another rule at a place."""
    return "\n".join([*rules[:place], rule, *rules[place + 1 :]])


def inserted(rules: Sequence[str], place: int, rule: str) -> str:
    """The field's text with a rule put before that of a place."""
    return "\n".join([*rules[:place], rule, *rules[place:]])


def removed(rules: Sequence[str], place: int) -> str:
    """The field's text without a rule."""
    return "\n".join([*rules[:place], *rules[place + 1 :]])


def moved(rules: Sequence[str], place: int, by: int) -> tuple[str, int]:
    """The field's text with a rule moved up or down, as far as there is room, and the rule's new place."""
    target = max(0, min(len(rules) - 1, place + by))
    rest = [*rules[:place], *rules[place + 1 :]]
    return inserted(rest, target, rules[place]), target


def without_name(rule: str) -> str:
    """A rule as it can stand beside itself: two rules of a set may not have one name."""
    return with_clause(rule, "name", None)


def clause_words(rule: str) -> Mapping[str, str]:
    """The words of a rule by keyword as they stand there, also of one that cannot be read."""
    return dict(written_clauses(rule))


def _text(clauses: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{keyword} {word}".rstrip() for keyword, word in clauses)
