"""Confirmed changes: an apply that a process takes back at a given time unless a user confirms it before.

The process outlives the terminal and ssh, but no reboot: after that the next program shows the change and leaves it.
"""

import contextlib
import json
import os
import sys
import time
from typing import Final

from qmon_tui.applying.apply import Applied, apply_plan, take_back, target_of
from qmon_tui.applying.plan import Plan, PlanError
from qmon_tui.applying.records import (
    Unconfirmed,
    find_record,
    folder_of_records,
    unconfirmed_change,
    unconfirmed_file,
)
from qmon_tui.applying.rights import rights_on
from qmon_tui.model import Cluster, State
from qmon_tui.sources import SourceError
from qmon_tui.sources.cell_folder import author
from qmon_tui.sources.cells import Cell
from qmon_tui.sources.detached import start_detached
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.workspace import Conflict

OPTION: Final = "--unless-confirmed"
"""Option of `qmon-tui apply` that starts the waiting process."""
_LOOK_SECONDS: Final = 1.0
_RETRY_SECONDS: Final = 30.0
_RETRIES: Final = 120


def refuse_second(cell: Cell) -> None:
    """Raise PlanError if another change awaits its confirmation."""
    if (change := unconfirmed_change(cell)) is not None:
        raise PlanError(f"{change.words}; a second one waits for it")


def need_way_back(source: QmasterSource, plan: Plan, cluster: Cluster, state: State) -> None:
    """Raise PlanError if a plan removes the user's right to take it back."""
    if refusal := rights_on(source.cell, plan.result(cluster), state).refusal_for(plan.keys):
        raise PlanError(f"after the plan nobody here could take it back: {refusal}")


def await_confirmation(source: QmasterSource, applied: Applied, seconds: float) -> Unconfirmed:
    """Start the process that takes an apply back after some seconds. Raises SourceError, PlanError."""
    place = unconfirmed_file(source.cell)
    until = time.time() + seconds
    data = {"record": applied.record, "until": until, "who": author().words}
    try:
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o664), "w") as file:
            json.dump(data, file)
    except FileExistsError:
        refuse_second(source.cell)
    except OSError as error:
        raise SourceError(f"the confirmation cannot be awaited: {error.strerror}") from None
    log = folder_of_records() / f"{applied.record}.log"
    start_detached((sys.executable, "-m", "qmon_tui", "apply", OPTION, applied.record, source.location), str(log))
    return Unconfirmed(applied.record, until, str(data["who"]), place)


def confirm(cell: Cell) -> Unconfirmed:
    """Confirm the change that awaits confirmation, and return it. Raises PlanError without one, SourceError."""
    change = unconfirmed_change(cell)
    if change is None:
        raise PlanError("no change awaits its confirmation")
    try:
        change.place.unlink()
    except OSError as error:
        raise SourceError(f"{change.place} cannot be removed: {error.strerror}") from None
    return change


def take_back_unless_confirmed(source: QmasterSource, name: str) -> tuple[Applied, tuple[Conflict, ...]] | None:
    """Wait, then take an apply back; return the result, and conflicts with later changes. None if it was confirmed.

    A change that is not wholly taken back still awaits confirmation. Raises SourceError, PlanError.
    """
    while True:
        change = unconfirmed_change(source.cell)
        if change is None or change.record != name:
            return None
        if (left := change.until - time.time()) <= 0:
            break
        time.sleep(min(left, _LOOK_SECONDS))
    claimed = change.place.with_name(f"{change.place.name}.ended")
    try:
        change.place.rename(claimed)  # from now on it cannot be confirmed
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"{change.place} cannot be renamed: {error.strerror}") from None
    is_whole = False
    try:
        applied, conflicts = _take_back_with_retries(source, name)
        is_whole = applied.is_whole and not conflicts
        return applied, conflicts
    finally:
        with contextlib.suppress(OSError):
            if is_whole:
                claimed.unlink()
            else:
                claimed.rename(change.place)


def _take_back_with_retries(source: QmasterSource, name: str) -> tuple[Applied, tuple[Conflict, ...]]:
    for attempt in range(_RETRIES):
        try:
            live = source.read()
            way = take_back(source, find_record(name, target_of(source)), live.cluster, live.state)
            applied = apply_plan(source, way.plan, live.cluster, live.state, reason="it was not confirmed in time")
            return applied, way.conflicts
        except SourceError:
            if attempt == _RETRIES - 1:
                raise
            time.sleep(_RETRY_SECONDS)
    raise AssertionError
