"""Make a running cluster what a folder or a plan says: each object is read again before its command and back after it.

Exit code 1 if something was refused, left alone or not done: what was done and what not is printed.
"""

import argparse
import os
import sys
from collections.abc import Iterable

from qmon_tui.applying import (
    OPTION,
    Applied,
    Effects,
    Plan,
    PlanError,
    WayBack,
    apply_plan,
    await_confirmation,
    find_record,
    finish,
    merged_plan,
    need_way_back,
    note_done,
    read_plan,
    records,
    refuse_second,
    take_back,
    take_back_unless_confirmed,
    target_of,
)
from qmon_tui.cli import plan as planning
from qmon_tui.cli.answer import Answer, InputError, plain, print_note, width
from qmon_tui.cli.cluster_folder import UNUSABLE
from qmon_tui.cli.parser import length_option
from qmon_tui.report import Span, plans
from qmon_tui.sources import Reading
from qmon_tui.sources.cells import SCHEME
from qmon_tui.sources.regular_file import read_regular


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="SRC", nargs="?", help="the cluster folder, or a file of qmon-tui plan --out")
    parser.add_argument("cluster", metavar="qmaster:", nargs="?", default=SCHEME, help="the running cluster")
    planning.plan_arguments(parser)
    parser.add_argument(
        "--yes", action="store_true", help="do not ask; without it and without a terminal nothing is written"
    )
    parser.add_argument("--reason", metavar="TEXT", default="", help="why, for the log")
    parser.add_argument("--merge", action="store_true", help="merge the plan with what was changed since it was made")
    parser.add_argument(
        "--confirm-within",
        metavar="LENGTH",
        help="take it back after this time, such as 10m, unless it is confirmed",
    )
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--back",
        metavar="NAME",
        nargs="?",
        const="",
        help="take back an apply, the last one if none is named; later changes stay",
    )
    ways.add_argument("--finish", metavar="NAME", help="do what an interrupted apply has left")
    ways.add_argument(OPTION, metavar="NAME", dest="unless_confirmed", help=argparse.SUPPRESS)
    ways.add_argument("--list", action="store_true", help="list what was applied, the newest first")


def answer(options: argparse.Namespace) -> Answer:
    """Make the plan, show it, ask, and apply it. Raises InputError, SourceError."""
    if options.list:
        lines = [plans.record_line(record) for record in records()]
        return Answer({"applies": lines}, lambda _: lines or ("nothing was applied by this user",))
    seconds = length_option("--confirm-within", options.confirm_within) if options.confirm_within else None
    try:
        if options.unless_confirmed is not None:
            return _unless_confirmed(options)
        plan, effects, live, notes, left = _plan(options)
        if plan.refusals or not plan.steps:
            code = UNUSABLE if plan.refusals else int(left)
            return Answer(
                plans.plan_json(plan, effects), lambda cells: plans.plan_lines(plan, effects, cells), code, notes
            )
        if not (options.yes or _agrees(plan, effects, notes)):
            return Answer(
                plans.plan_json(plan, effects), lambda cells: plans.plan_lines(plan, effects, cells), 1, notes,
                "Nothing was written: " + ("not confirmed." if sys.stdin.isatty() else "give --yes."),
            )  # fmt: skip
        if seconds is not None:
            refuse_second(planning.source_in(live).cell)
            need_way_back(planning.source_in(live), plan, live.cluster, live.state)
        applied = apply_plan(
            planning.source_in(live), plan, live.cluster, live.state, reason=options.reason,
            tell=lambda number, written: _tell(plans.written_lines(number + 1, written, width())),
        )  # fmt: skip
    except PlanError as error:
        raise InputError(f"{error}.") from None
    except KeyboardInterrupt:
        print_note("Interrupted: qmon-tui plan says how far it came, and how to finish it or to take it back.")
        raise
    closing = _closing(applied)
    if applied.is_whole and seconds is not None:
        closing = f"{await_confirmation(planning.source_in(live), applied, seconds).words}."
    shows_progress = sys.stderr.isatty()
    return Answer(
        plans.applied_json(applied),
        lambda cells: plans.applied_lines(applied, cells, with_tried=not shows_progress),
        0 if applied.is_whole and not left else 1,
        () if shows_progress and not options.yes else notes,
        closing,
    )


def _unless_confirmed(options: argparse.Namespace) -> Answer:
    """Wait for the confirmation and take the apply back without it (background process of --confirm-within)."""
    source = planning.source_of_cluster(options.source or SCHEME, writes=True)
    taken = take_back_unless_confirmed(source, options.unless_confirmed)
    if taken is None:
        return Answer({"confirmed": True}, lambda _: ("confirmed",))
    applied, conflicts = taken
    return Answer(
        plans.applied_json(applied),
        lambda cells: (*plans.applied_lines(applied, cells), *plans.clash_lines(conflicts, cells)),
        0 if applied.is_whole and not conflicts else 1,
    )


def _plan(
    options: argparse.Namespace,
) -> tuple[Plan, Effects | None, Reading, tuple[str, ...], bool]:
    """Return plan, effects (None if empty), running cluster, notes, and True if later changes are left alone."""
    source, cluster = options.source, options.cluster
    if options.back is not None or options.finish is not None:
        if source is not None and not source.startswith(SCHEME):
            raise InputError("--back and --finish take the running cluster alone.")
        live, notes = planning.running(source or SCHEME, writes=True)
        takes_back = options.back is not None
        record = find_record(options.back if takes_back else options.finish, target_of(planning.source_in(live)))
        way = (take_back if takes_back else finish)(planning.source_in(live), record, live.cluster, live.state)
        if not way.plan.steps:
            note_done(planning.source_in(live).cell, way.plan)
        notes = (*notes, plans.apply_words(record), *_clashes(way))
        return (*_of_way(way, live), notes, bool(way.conflicts))
    if source is None:
        raise InputError("give the folder or the plan that says what is wanted, or --back, --finish, --list.")
    if not os.path.isfile(source):
        plan, effects, live, notes = planning.planned(options, writes=True)
        return plan, effects, live, notes, False
    if options.only or options.ignore or options.delete:
        raise InputError("a plan is applied as it is: --only, --ignore and --delete are for qmon-tui plan.")
    plan = read_plan(read_regular(source).decode("utf-8", "replace"))
    live, notes = planning.running(cluster if cluster != SCHEME else plan.target.location, writes=True)
    if options.merge:
        way = merged_plan(planning.source_in(live), plan, live.cluster, live.state)
        return (*_of_way(way, live), (*notes, *_clashes(way)), bool(way.conflicts))
    return plan, planning.effects_on(plan, live), live, notes, False


def _clashes(way: WayBack) -> tuple[str, ...]:
    return _texts(plans.clash_lines(way.conflicts, width()))


def _of_way(way: WayBack, live: Reading) -> tuple[Plan, Effects | None, Reading]:
    return way.plan, planning.effects_on(way.plan, live), live


def _agrees(plan: Plan, effects: Effects | None, notes: Iterable[str]) -> bool:
    """Show the plan and ask on the terminal; False without one. A bare Enter does not confirm."""
    if not sys.stdin.isatty():
        return False
    for note in notes:
        print_note(note)
    _note(plans.plan_lines(plan, effects, width()))
    print(f"Type yes to run this on {plain(plan.target.location.rstrip(':'))}: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() == "yes"


def _closing(applied: Applied) -> str:
    if applied.changed:
        return "--merge merges the plan with these changes; or plan again."
    return f"qmon-tui apply --back {applied.record} takes it back." if applied.record else ""


def _tell(lines: Iterable[Iterable[Span]]) -> None:
    """Print the progress if stderr is a terminal."""
    if sys.stderr.isatty():
        _note(lines)


def _note(lines: Iterable[Iterable[Span]]) -> None:
    for text in _texts(lines):
        print_note(text)


def _texts(lines: Iterable[Iterable[Span]]) -> tuple[str, ...]:
    return tuple("".join(span.text for span in line) for line in lines)
