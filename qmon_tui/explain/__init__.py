"""Why: what a finished run says about one task, term by term and place by place."""

from qmon_tui.explain.derived import Derivation, number_text
from qmon_tui.explain.edits import CLEAN_UP
from qmon_tui.explain.explainer import Explainer, explain
from qmon_tui.explain.explanation import (
    Bound,
    Change,
    ExpectedStart,
    Explanation,
    Holder,
    JobAhead,
    NearestPlace,
    PriorityTerm,
    ReasonGroup,
    ReasonKind,
    ShownPriority,
)

__all__ = [
    "CLEAN_UP",
    "Bound",
    "Change",
    "Derivation",
    "ExpectedStart",
    "Explainer",
    "Explanation",
    "Holder",
    "JobAhead",
    "NearestPlace",
    "PriorityTerm",
    "ReasonGroup",
    "ReasonKind",
    "ShownPriority",
    "explain",
    "number_text",
]
