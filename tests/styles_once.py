"""Parsed stylesheets, and which of their rules hold where, are kept for all applications of a process.

Textual works them out anew for each, which was a third of the time of a test. `tests/tui/test_styles_once.py` holds
that the screen gets the same styles.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from textual.css.model import RuleSet, Selector
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

ORDER: Final = {"first-of-type", "last-of-type", "first-child", "last-child", "empty"}

parse_rules: Final = Stylesheet._parse_rules
apply: Final = Stylesheet.apply

_parsed: dict[Hashable, list[RuleSet]] = {}


@dataclass
class Applicable:
    """The rules that may hold for a node by its names, and what they come to at each place where it was met."""

    rules: Sequence[RuleSet]
    pseudo_classes: set[str] = field(init=False)
    selectors: list[Selector] = field(init=False)
    places: dict[Hashable, tuple[list[tuple[int, set[str]]], dict[Hashable, RulesMap]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pseudo_classes = set().union(*(rule.pseudo_classes for rule in self.rules))
        sets = (selector_set for rule in self.rules for selector_set in rule.selector_set)
        self.selectors = [one for selector_set in sets for one in selector_set.selectors if one.pseudo_classes]

    def asked(self, path: Sequence[DOMNode]) -> list[tuple[int, set[str]]]:
        """Which nodes of a path are asked for which pseudo-classes."""
        found: list[tuple[int, set[str]]] = []
        for at, node in enumerate(path):
            for selector in self.selectors:
                asked = (at, selector.pseudo_classes)
                if asked not in found and selector._check(node):
                    found.append(asked)
        return found


_applicable: dict[Hashable, Applicable] = {}


def _parse_once(
    sheet: Stylesheet,
    css: str,
    read_from: tuple[str, str],
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    variables = frozenset(sheet._variables.items())
    key = (css, read_from, is_default_rules, tie_breaker, scope, variables)
    if key not in _parsed:
        _parsed[key] = parse_rules(sheet, css, read_from, is_default_rules, tie_breaker, scope)
    return _parsed[key]


def _applicable_to(sheet: Stylesheet, node: DOMNode) -> Applicable:
    rules = sheet.rules
    known: tuple[list[RuleSet], dict[frozenset[str], Applicable]] | None = sheet.__dict__.get("_applicable")
    if known is None or known[0] is not rules:
        known = sheet.__dict__["_applicable"] = (rules, {})
    names = frozenset(node._selector_names)
    found = known[1].get(names)
    if found is None:
        by_name = sheet.rules_map
        wanted = {id(rule) for name in names & by_name.keys() for rule in by_name[name]}
        own = [rule for rule in reversed(rules) if id(rule) in wanted]
        # Parsed rules are kept for good, so that their identities stay theirs.
        found = known[1][names] = _applicable.setdefault(tuple(map(id, own)), Applicable(own))
    return found


def _apply_once(sheet: Stylesheet, node: DOMNode, *, animate: bool = False, cache: Any = None) -> None:
    found = _applicable_to(sheet, node)
    node._has_hover_style = "hover" in found.pseudo_classes
    node._has_focus_within = "focus-within" in found.pseudo_classes
    node._has_order_style = not found.pseudo_classes.isdisjoint(ORDER)
    node._has_odd_or_even = not found.pseudo_classes.isdisjoint({"odd", "even"})
    path = node.css_path_nodes
    place = tuple((one._css_type_names, one._id, frozenset(one._classes)) for one in path)
    if place not in found.places:
        found.places[place] = (found.asked(path), {})
    asked, results = found.places[place]
    answers = tuple(path[at].has_pseudo_classes(names) for at, names in asked)
    rules = results.get(answers)
    if rules is None:
        rules = results[answers] = _rules_of(sheet, node)
    if rules:
        sheet.replace_rules(node, rules, animate=animate)
    sheet._process_component_classes(node)


def _rules_of(sheet: Stylesheet, node: DOMNode) -> RulesMap:
    """What Textual's own way gives the node."""
    got: list[RulesMap] = []

    class Asked(Stylesheet):
        @classmethod
        def replace_rules(cls, node: DOMNode, rules: RulesMap, animate: bool = False) -> None:
            got.append(rules)

        def _process_component_classes(self, node: DOMNode) -> None:
            pass

    asked = Asked()
    asked._rules, asked._rules_map = sheet.rules, sheet.rules_map
    apply(asked, node)
    return got[0] if got else {}


def _replace_what_differs(cls: type[Stylesheet], node: DOMNode, rules: RulesMap, animate: bool = False) -> None:
    """Nothing is animated in tests."""
    base = node.styles.base
    have = base._rules
    for key in [key for key in have.keys() | rules.keys() if have.get(key) is not rules.get(key)]:
        setattr(base, key, rules.get(key))
    node.notify_style_update()


def use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all stylesheets do so until the test is over."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)
    monkeypatch.setattr(Stylesheet, "apply", _apply_once)
    monkeypatch.setattr(Stylesheet, "replace_rules", classmethod(_replace_what_differs))
