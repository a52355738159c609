"""Clusters of other families whose objects have names that nobody draws: capitals, signs and digits in them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

import yaml

from tests.differential import families
from tests.differential.scenarios import CLUSTER, Scenario

BASES: Final = (
    *("mixed", "mixed", "matching", "matching", "quota", "quota", "pe", "pe", "urgency", "ordering", "reservation"),
    *("calendars", "functional", "sharetree", "access", "crossed", "arrays", "trials", "subordination", "granting"),
)
CHANCE: Final = 0.7
_WORDS: Final = ("{1}", "{2}", "{0}_x", "_{0}", "Z{0}")
_SIGNS: Final = ("{0}-2", "{0}+")
_RENAMED: Final = ("complexes", "pes", "queues", "projects", "usersets", "calendars", "ckpts", "hostgroups", "quotas")
_KEPT: Final = frozenset(
    {"slots", "load", "job", "lab", "staff", "guests", "deadlineusers", "arusers", "defaultdepartment", "all.q"}
)
"""Built in, words of a session, or names of its people."""


def draw(random: Random) -> Scenario:
    """A scenario of another family with other names."""
    base = families.families()[random.choice(BASES)].draw(random)
    names: dict[str, str] = {}
    for name, forms in _names(yaml.load(base.files[CLUSTER], yaml.CBaseLoader)):
        if random.random() < CHANCE:
            names[name] = _other(name, random.choice(forms))
    if len({*names.values()}) < len(names) or not names.keys().isdisjoint(names.values()):
        return base
    longest = sorted((name for name in names if not name.startswith("@")), key=len, reverse=True)
    word = re.compile(rf"(?<![\w.@])(?:{'|'.join(map(re.escape, longest))})(?![\w.\[])") if longest else None
    renamed = (lambda text: word.sub(lambda found: names[found[0]], text)) if word is not None else str
    return replace(
        base,
        files={file: renamed(_groups(text, names)) for file, text in base.files.items()},
        session=renamed(_groups(base.session, names)),
    )


def _names(sections: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names that may be others, and in which way: a load formula takes signs for its own.

    An attribute of which only something is changed is one of those that are always there.
    """
    for section in _RENAMED:
        may_be_built_in = section == "complexes"
        forms = _WORDS if may_be_built_in else (*_WORDS, *_SIGNS)
        for name, fields in (sections.get(section) or {}).items():
            if name not in _KEPT and not (may_be_built_in and "type" not in fields):
                yield name, forms


def _groups(text: str, names: Mapping[str, str]) -> str:
    """Names with an @ stand behind anything."""
    for name, other in names.items():
        if name.startswith("@"):
            text = re.sub(rf"{name}(?![\w.-])", other, text)
    return text


def _other(name: str, form: str) -> str:
    sign, word = ("@", name[1:]) if name.startswith("@") else ("", name)
    return sign + form.format(word, word.upper(), word.capitalize())
