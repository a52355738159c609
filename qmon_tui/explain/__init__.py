"""Explanations of one task in a finished run: its priority term by term, and the obstacles of each place."""

from qmon_tui.explain.drain_effect import DrainEffect as DrainEffect, drain_effect as drain_effect
from qmon_tui.explain.edits import CLEAN_UP as CLEAN_UP
from qmon_tui.explain.explainer import Explainer as Explainer
from qmon_tui.explain.explanation import (
    Bound as Bound,
    Change as Change,
    Derivation as Derivation,
    ExpectedStart as ExpectedStart,
    Explanation as Explanation,
    Holder as Holder,
    JobAhead as JobAhead,
    NearestPlace as NearestPlace,
    PriorityTerm as PriorityTerm,
    ReasonGroup as ReasonGroup,
    ReasonKind as ReasonKind,
    ShownPriority as ShownPriority,
    number_text as number_text,
)
