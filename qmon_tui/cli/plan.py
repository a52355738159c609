"""Print the commands that make a running cluster what a folder says, and effects; exit code 1 if there are some."""

import argparse

from qmon_tui.applying import (
    Effects,
    Plan,
    Scope,
    effects_of,
    is_same_cell,
    make_plan,
    plan_text,
    protected_changes,
    records,
    rights_on,
    target_of,
    unconfirmed_change,
    wanted_cluster,
)
from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import UNUSABLE, finding_text, read_cluster, scope_arguments, wanted_objects
from qmon_tui.formats import unreadable
from qmon_tui.report import count, plans
from qmon_tui.sources import Reading, SourceError
from qmon_tui.sources.cell_folder import private_words
from qmon_tui.sources.cells import SCHEME
from qmon_tui.sources.qmaster_source import QmasterSource, qmaster_source
from qmon_tui.values import whole_number


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="SRC", help="the cluster folder that says what is wanted")
    parser.add_argument("cluster", metavar="qmaster:", nargs="?", default=SCHEME, help="the running cluster")
    plan_arguments(parser)
    parser.add_argument("--out", metavar="FILE", help="keep the plan in a new file, for qmon-tui apply")


def plan_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the common arguments of plan and apply."""
    scope_arguments(parser, "change", "changed")
    parser.add_argument("--delete", action="store_true", help="delete what the folder does not name")
    parser.add_argument(
        "--max-deletes", metavar="N", type=_number, default=None, help="refuse a plan that deletes more objects than N"
    )


def answer(options: argparse.Namespace) -> Answer:
    """Read both clusters and return the plan. Raises InputError, SourceError."""
    plan, effects, live, notes = planned(options)
    rights = rights_on(source_in(live).cell, live.cluster, live.state)
    if refusal := next(filter(None, (rights.refusal_for(step.keys) for step in plan.steps)), ""):
        notes = (*notes, f"you may not apply it: {refusal}.")
    kept_off = options.out and plan.refusals
    if options.out and not kept_off:
        _keep(options.out, plan)
    code = UNUSABLE if plan.refusals else int(bool(plan.steps))
    return Answer(
        plans.plan_json(plan, effects),
        lambda width: plans.plan_lines(plan, effects, width),
        code,
        notes=notes,
        closing=f"{options.out} is not written: the qmaster would refuse the plan." if kept_off else "",
    )


def planned(
    options: argparse.Namespace, *, writes: bool = False
) -> tuple[Plan, Effects | None, Reading, tuple[str, ...]]:
    """Return the plan of these arguments, its effects, the running cluster, and notes.

    Raises InputError, SourceError.
    """
    if options.source.startswith(SCHEME):
        raise InputError(f"{options.source}: give the folder that says what is wanted, then {SCHEME}.")
    folder, notes = read_cluster(options.source)
    if notes:
        raise InputError(f"a part of {options.source} cannot be read, so nothing is planned: {notes[0]}.")
    live, talk = running(options.cluster, writes=writes)
    scope = Scope(
        wanted_objects(options.only), frozenset(options.ignore), options.delete, source_in(live).cell.protected
    )
    wanted = wanted_cluster(live.cluster, folder.cluster, scope)
    if names := protected_changes(live.cluster, wanted, scope):
        raise InputError(
            f"clusters.toml protects {', '.join(names[:5])}: leave it out with --only, or change it there."
        )
    plan = make_plan(target_of(source_in(live)), options.source, live.cluster, wanted, live.state)
    deleted = sum(len(live.cluster.objects(kind).keys() - wanted.objects(kind).keys()) for kind in live.cluster.kinds)
    if options.max_deletes is not None and deleted > options.max_deletes:
        raise InputError(f"the plan deletes {count(deleted, 'object')}, more than --max-deletes {options.max_deletes}.")
    return plan, effects_on(plan, live), live, talk


def effects_on(plan: Plan, live: Reading) -> Effects | None:
    """Return the effects of a plan on a running cluster; None for an empty plan."""
    return effects_of(plan, live.cluster, live.state) if plan.steps else None


def running(location: str, *, writes: bool = False) -> tuple[Reading, tuple[str, ...]]:
    """Read a running cluster; notes name interrupted and unconfirmed applies. Raises InputError, SourceError."""
    reading = source_of_cluster(location, writes=writes).read()
    broken = tuple(map(finding_text, unreadable(reading.findings)))
    if broken:
        raise SourceError(f"a part of {location} cannot be read, so nothing is planned: {broken[0]}")
    target = target_of(source_in(reading))
    left = (record for record in records() if record.was_interrupted and is_same_cell(record.plan.target, target))
    cell = source_in(reading).cell
    waiting = unconfirmed_change(cell)
    notes = (*map(plans.interrupted_words, left), waiting.words if waiting is not None else "", private_words(cell))
    return reading, tuple(filter(None, notes))


def source_of_cluster(location: str, *, writes: bool = False) -> QmasterSource:
    """Return the source of a running cluster without reading it. Raises InputError, SourceError."""
    if not location.startswith(SCHEME):
        raise InputError(f"{location}: a running cluster is called {SCHEME} or {SCHEME}NAME.")
    return qmaster_source(location, writes=writes)


def source_in(reading: Reading) -> QmasterSource:
    """Return the source of a reading of a running cluster."""
    assert isinstance(reading.source, QmasterSource)
    return reading.source


def _keep(path: str, plan: Plan) -> None:
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(plan_text(plan))
    except FileExistsError:
        raise InputError(f"{path} exists: a plan is kept in a new file.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


def _number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise argparse.ArgumentTypeError(f'"{text}" is not a number')
    return number
