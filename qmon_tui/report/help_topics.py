"""Help topics: fields, rules, columns and headings of the reference, each with its paragraph as Markdown."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from qmon_tui.model import Field, Kind, KindSpec
from qmon_tui.model.catalogue import specs
from qmon_tui.report.fuzzy_search import other_words
from qmon_tui.sources.shipped import reference_pages
from qmon_tui.values import nearest_word

_PAGES: Final[Mapping[Kind, str]] = {
    **{kind: f"{kind}.md" for kind in Kind},
    Kind.HOST: "exec-host.md",
    Kind.QUOTA: "quota-set.md",
    Kind.SCHEDULER: "scheduler-configuration.md",
    **dict.fromkeys((Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS), "administrators.md"),
}
"""Kind -> its page of the reference."""
_COLUMNS: Final[Mapping[str, str]] = {
    "prior": "priority.md#the-formula",
    "made of": "priority.md#the-formula",
    "nurg": "priority.md#normalised-urgency",
    "npprior": "priority.md#posix-priority",
    "ntckts": "priority.md#normalised-tickets",
    "ppri": "priority.md#posix-priority",
    "urg": "priority.md#urgency",
    "rrcontr": "priority.md#resource-contribution",
    "wtcontr": "priority.md#waiting-time-contribution",
    "dlcontr": "priority.md#deadline-contribution",
    "tckts": "tickets.md#two-passes",
    "ovrts": "tickets.md#override-tickets",
    "otckt": "tickets.md#override-tickets",
    "ftckt": "tickets.md#functional-tickets",
    "stckt": "tickets.md#share-tree-tickets",
    "share": "tickets.md#two-passes",
    "state": "lifecycle.md#letters-of-tasks",
    "department": "tickets.md#department-of-a-job",
    "project": "tickets.md#project-of-a-job",
    "hold": "lifecycle.md#holds",
    "waits for": "lifecycle.md#dependencies",
    "reserved from": "reservation.md#who-gets-a-reservation",
    "deadline": "priority.md#deadline-contribution",
}
"""Column of qstat -> the paragraph about its calculation."""
_MORE: Final[Mapping[str, str]] = {
    "weight_waiting_time": "priority.md#waiting-time-contribution",
    "weight_deadline": "priority.md#deadline-contribution",
    "weight_urgency": "priority.md#the-formula",
    "weight_ticket": "priority.md#the-formula",
    "weight_priority": "priority.md#the-formula",
    "weight_tickets_functional": "tickets.md#functional-tickets",
    "weight_user": "tickets.md#functional-tickets",
    "weight_project": "tickets.md#functional-tickets",
    "weight_department": "tickets.md#functional-tickets",
    "weight_job": "tickets.md#functional-tickets",
    "share_functional_shares": "tickets.md#functional-tickets",
    "max_functional_jobs_to_schedule": "tickets.md#functional-tickets-of-pending-tasks",
    "share_override_tickets": "tickets.md#override-tickets",
    "weight_tickets_share": "tickets.md#share-tree-tickets",
    "halftime": "tickets.md#decay",
    "halflife_decay_list": "tickets.md#decay",
    "compensation_factor": "tickets.md#targets-of-nodes",
    "usage_weight_list": "tickets.md#usage-of-nodes",
    "policy_hierarchy": "tickets.md#policy-hierarchy",
    "report_pjob_tickets": "priority.md#numbers-that-qstat-shows",
    "max_pending_tasks_per_job": "tickets.md#tasks-that-get-tickets",
    "max_reservation": "reservation.md#who-gets-a-reservation",
    "default_duration": "reservation.md#duration-of-a-job",
    "urgency": "priority.md#resource-contribution",
    "urgency_slots": "priority.md#slot-number-for-urgency",
    "relop": "matching.md#comparison",
    "consumable": "matching.md#booking-of-consumables",
    "requestable": "matching.md#attributes-that-must-or-may-not-be-requested",
    "load_thresholds": "dispatch.md#load-thresholds",
    "suspend_thresholds": "suspension.md#suspend-thresholds",
    "subordinate_list": "suspension.md#queue-wise-subordination",
    "load_scaling": "matching.md#load-scaling",
    "job_load_adjustments": "matching.md#load-correction",
    "allocation_rule": "parallel.md",
    "limit": "quotas.md",
}
"""Field -> the paragraph about its use in a scheduling run."""
_HEADING: Final = re.compile(r"^(#{1,6}) (.*)$")
_MARKS: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class HelpTopic:
    """A topic of help."""

    name: str
    """Its name: `slots`, `queue.hosts`, `Functional tickets`."""
    about: str
    """One line about it."""
    place: str
    """Page and anchor of its paragraph, as in `queue.md#slots`; empty if there is only `text`."""
    text: str = ""
    """Markdown that comes before the paragraph."""
    more: str = ""
    """Page and anchor of the paragraph about its use in a scheduling run."""
    is_heading: bool = False


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading: lower case, blanks as hyphens, punctuation dropped."""
    return re.sub(r"[^\w\- ]", "", _bare(heading).lower()).replace(" ", "-")


def _bare(heading: str) -> str:
    return _MARKS.sub(r"\1", heading).replace("`", "").strip()


@dataclass(frozen=True, slots=True)
class _Section:
    level: int
    heading: str
    first: int
    """Index of the heading's line."""
    last: int
    """Index of the line after the section."""


@cache
def _sections(page: str) -> Mapping[str, _Section]:
    return sections_of(reference_pages()[page].splitlines())


def sections_of(lines: Sequence[str]) -> Mapping[str, _Section]:
    """Return anchor -> section of a page; the whole page has the anchor of its title."""
    headings: list[tuple[int, int, str]] = []
    is_code = False
    for number, line in enumerate(lines):
        is_code ^= line.startswith("```")
        if not is_code and (match := _HEADING.match(line)):
            headings.append((number, len(match[1]), _bare(match[2])))
    sections: dict[str, _Section] = {}
    for index, (number, level, heading) in enumerate(headings):
        ends = (line for line, other, _ in headings[index + 1 :] if other <= level)
        sections.setdefault(anchor_of(heading), _Section(level, heading, number, next(ends, len(lines))))
    return sections


def has_place(place: str) -> bool:
    """Return True if the reference has the page and heading of a place, such as `queue.md#slots`."""
    page, _, anchor = place.partition("#")
    return page in reference_pages() and (not anchor or anchor in _sections(page))


def paragraph_at(place: str) -> str:
    """Return the Markdown of a page or of a section with its subsections; empty if there is no such place."""
    if not has_place(place):
        return ""
    page, _, anchor = place.partition("#")
    if not anchor:
        return reference_pages()[page]
    section = _sections(page)[anchor]
    return "\n".join(reference_pages()[page].splitlines()[section.first : section.last]).strip() + "\n"


def field_topic(declared: KindSpec, field: Field) -> HelpTopic:
    """Return the topic of a field: the catalogue's words, then its paragraph."""
    choices = f": {' '.join(field.choices)}" if field.choices else ""
    facts = f"{field.type.value}{choices}; default `{field.default or '(none)'}`; {field.source or declared.source}"
    page = _PAGES.get(declared.kind, "")
    place = f"{page}#{anchor_of(field.name)}"
    text = f"# {field.name}\n\n{field.help}\n\n*{declared.title}: {facts}*\n"
    about = f"field of {declared.kind.value}: {field.help}"
    return HelpTopic(field.name, about, place if has_place(place) else page, text, _MORE.get(field.name, ""))


def rule_topic(rule: str) -> HelpTopic | None:
    """Return the topic of the rule of check with this id; None if there is none."""
    from qmon_tui.checks import RULES  # imported here, as other help needs no rules

    known = RULES.get(rule)
    if known is None:
        return None
    place = next((word for word in re.split(r"[ ,]+", known.source) if ".md" in word), "")
    text = f"# {rule}\n\n{known.summary}\n\n*{known.severity.value}; {known.source}*\n"
    return HelpTopic(rule, f"rule of check: {known.summary}", place if has_place(place) else "", text)


def kind_topic(kind: Kind) -> HelpTopic:
    """Return the topic of a kind of object."""
    declared = specs()[kind]
    text = f"# {declared.title}\n\n{declared.help}\n\n*{declared.source}*\n"
    return HelpTopic(declared.title, f"kind of object: {declared.help}", _PAGES.get(kind, ""), text)


def column_topic(title: str, help_: str) -> HelpTopic:
    """Return the topic of a column of jobs."""
    text = f"# {title}\n\nColumn of the jobs: {help_}.\n"
    return HelpTopic(title, f"column of jobs: {help_}", _COLUMNS.get(title, ""), text)


def place_topic(place: str) -> HelpTopic:
    """Return the topic of a page or a heading; the place must exist."""
    page, _, anchor = place.partition("#")
    sections = _sections(page)
    title = next(iter(sections.values())).heading
    section = sections[anchor] if anchor else next(iter(sections.values()))
    about = f"page {page}" if section.heading == title else f"{title}, {page}"
    return HelpTopic(section.heading, about, place, is_heading=True)


def heading_topics() -> Iterator[HelpTopic]:
    """Yield a topic for every heading of the reference, page by page."""
    for page in reference_pages():
        for anchor in _sections(page):
            yield place_topic(f"{page}#{anchor}")


def text_of(topic: HelpTopic) -> str:
    """Return all Markdown of a topic, with one title."""
    if not topic.text:
        return paragraph_at(topic.place)
    paragraph = paragraph_at(topic.place)
    first, _, rest = paragraph.partition("\n")
    if anchor_of(first.lstrip("# ")) == anchor_of(topic.text.partition("\n")[0].lstrip("# ")):
        paragraph = rest.lstrip("\n")
    parts = (topic.text, paragraph, paragraph_at(topic.more) if topic.more else "")
    return "\n".join(part for part in parts if part)


def all_topics(columns: Iterable[tuple[str, str]] = ()) -> Iterator[HelpTopic]:
    """Yield all topics; `columns` are titles and descriptions of columns of jobs."""
    from qmon_tui.checks import RULES  # imported here, as in `rule_topic`

    for kind, declared in specs().items():
        yield kind_topic(kind)
        for field in declared.fields:
            yield field_topic(declared, field)
    for title, help_ in columns:
        yield column_topic(title, help_)
    for rule in RULES:
        topic = rule_topic(rule)
        if topic is not None:
            yield topic
    yield from heading_topics()


@dataclass(frozen=True, slots=True)
class FoundTopics:
    """Result of a search for a word: topics of that name, else topics that contain it, else similar words."""

    exact: tuple[HelpTopic, ...]
    similar: tuple[HelpTopic, ...] = ()
    nearest: tuple[str, ...] = ()


_FEW: Final = 5
"""With fewer similar topics than this, synonyms of the word are searched, too."""


def _containing(topics: Sequence[HelpTopic], text: str) -> tuple[HelpTopic, ...]:
    """Return the topics whose names contain all words of the text, else those whose name or summary does."""
    words = text.split()
    similar = [topic for topic in topics if all(part in f"{topic.name} {topic.about}".casefold() for part in words)]
    named = [topic for topic in similar if all(part in topic.name.casefold() for part in words)]
    return tuple(named or similar) if words else ()


def find_topics(word: str, columns: Iterable[tuple[str, str]] = ()) -> FoundTopics:
    """Return topics for a word: field, `queue.slots`, rule id, column, kind, heading, or place (`pe.md#slots`)."""
    wanted = word.casefold().strip()
    if ".md" in wanted and has_place(wanted):
        return FoundTopics((place_topic(wanted),))
    kind, _, name = wanted.partition(".")
    declared = next((spec for spec in specs().values() if kind in (spec.kind.value, spec.yaml_key)), None)
    if declared is not None and name in declared.by_name:
        return FoundTopics((field_topic(declared, declared.by_name[name]),))
    every = tuple(all_topics(columns))
    exact = [topic for topic in every if topic.name.casefold() == wanted]
    if declared is not None and not name:
        exact = [kind_topic(declared.kind)]
    # The topic of a field includes the text of its own heading.
    exact = [
        topic
        for topic in exact
        if not topic.is_heading or all(topic.place != other.place for other in exact if other is not topic)
    ]
    if exact:
        return FoundTopics(tuple(exact))
    similar = _containing(every, wanted)
    if len(similar) < _FEW:
        others = (topic for text in other_words(wanted) for topic in _containing(every, text))
        similar = tuple(dict.fromkeys((*similar, *others)))
    if similar:
        return FoundTopics((), similar)
    names = {topic.name.casefold(): topic.name for topic in every}
    near = nearest_word(wanted, names)
    return FoundTopics((), (), (names[near],) if near else ())
