"""Records of this user's applies on disk: the plan, written before the first command, then the result of each step.

A record is locked while its program runs, so that a record of a killed program is recognised.
"""

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from qmon_tui.applying.gate import Verdict, Written
from qmon_tui.applying.plan import Plan, PlanError, Step, Target, plan_data, plan_of
from qmon_tui.sources import SourceError
from qmon_tui.sources.atomic_write import sync_folder, write_all
from qmon_tui.sources.cell_folder import cell_folder
from qmon_tui.sources.cells import Cell
from qmon_tui.sources.xdg import state_folder

TAKE_BACK: Final = "take back "
FINISH: Final = "finish "
"""Prefixes of `Plan.source` of a plan that takes an apply back or finishes it; the record's name follows."""
_TAKEN_BACK: Final = "taken back"
_ENDING: Final = ".jsonl"
_LONGEST: Final = 256 * 1024 * 1024


class Record(NamedTuple):
    """One apply as read from its file."""

    name: str
    plan: Plan
    began: float
    """Seconds since the epoch."""
    results: tuple[tuple[int, str], ...]
    """(number of the step from 0, its verdict), in the order in which the steps ended."""
    begun: int | None
    """Number of a step that has begun and not ended; None without one."""
    end: str
    """Result of the whole apply in words; empty while it runs or if its program was killed."""
    dealt_with: float
    """Time when another apply finished it or took it back, seconds since the epoch; 0 if none did."""
    is_running: bool
    """True if its program still runs."""

    @property
    def was_interrupted(self) -> bool:
        """True if its program was killed, and the apply was neither finished nor taken back since."""
        return not self.end and not self.is_running

    @property
    def taken_back(self) -> str | None:
        """Name of the apply that this one takes back; None if it is an ordinary one."""
        words = self.plan.source.removeprefix(TAKE_BACK)
        return words if words != self.plan.source else None

    @property
    def carried_out(self) -> tuple[Step, ...]:
        """The steps that may have changed something."""
        numbers = [number for number, verdict in self.results if verdict in _CHANGING]
        return tuple(self.plan.steps[number] for number in (*numbers, *([] if self.begun is None else [self.begun])))


_CHANGING: Final = (Verdict.DONE, Verdict.DIFFERENT, Verdict.UNKNOWN)


class RecordFile:
    """The file of a running apply, locked until the end of its context manager."""

    def __init__(self, plan: Plan) -> None:
        folder = folder_of_records()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.name = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{plan.identity[:8]}"
            self._descriptor = os.open(
                folder / (self.name + _ENDING), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_APPEND, 0o600
            )
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
            self._add({"began": time.time(), "plan": plan_data(plan)})
            sync_folder(folder)
        except OSError as error:
            raise SourceError(f"the way back cannot be kept in {folder} ({error.strerror}): nothing was run") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def begin(self, number: int) -> None:
        """Write that a step begins. Raises SourceError if that is impossible: the step must not run then."""
        self._say({"begin": number})

    def ended(self, number: int, written: Written) -> None:
        """Write the result of a step."""
        self._say({"step": number, "verdict": written.verdict, "answer": list(written.answer), "log": written.log})

    def end(self, words: str) -> None:
        """Write the result of the whole apply, in words."""
        self._say({"end": words})

    def _say(self, data: dict[str, object]) -> None:
        try:
            self._add(data)
        except OSError as error:
            raise SourceError(f"the record {self.name} cannot be written ({error.strerror}): stopped") from None

    def _add(self, data: dict[str, object]) -> None:
        write_all(self._descriptor, json.dumps(data, ensure_ascii=False) + "\n")
        os.fsync(self._descriptor)


def records() -> Iterator[Record]:
    """Yield the records of this user, the newest first; those that cannot be read are left out."""
    with contextlib.suppress(OSError):
        for path in sorted(folder_of_records().glob(f"*{_ENDING}"), reverse=True):
            with contextlib.suppress(OSError, PlanError, ValueError, KeyError, TypeError, IndexError):
                yield _read(path)


def find_record(name: str, target: Target) -> Record:
    """Return the record of this name; for an empty name, the newest that changed something and is not taken back.

    Raises PlanError.
    """
    taken_back: set[str] = set()
    for record in records():
        if name:
            if record.name == name:
                return record
        elif is_same_cell(record.plan.target, target) and record.carried_out:
            if (other := record.taken_back) is not None:
                taken_back.add(other)
            elif record.name not in taken_back and record.end != _TAKEN_BACK:
                return record
    raise PlanError(
        f"no apply is called {name}: qmon-tui apply --list has them"
        if name
        else f"nothing is left to take back on {target.location}"
    )


def record_of(plan: Plan) -> Record | None:
    """Return the record of the apply that a plan finishes or takes back; None for any other plan."""
    name = plan.source.removeprefix(TAKE_BACK).removeprefix(FINISH)
    return None if name == plan.source else next((record for record in records() if record.name == name), None)


def is_same_cell(target: Target, other: Target) -> bool:
    """Return True if both are the same cell, whatever name is used for it."""
    return (target.root, target.cell) == (other.root, other.cell)


def note_done(cell: Cell, plan: Plan) -> None:
    """Record that a plan has finished an apply or taken it back.

    The apply is then neither interrupted nor unconfirmed. If that cannot be written, it is reported again.
    """
    record = record_of(plan)
    if record is None:
        return
    is_back = plan.source.startswith(TAKE_BACK)
    with contextlib.suppress(OSError):
        tried = [other for other in records() if other.was_interrupted and other.plan.source == plan.source]
        for known in (*([record] if is_back or record.was_interrupted else []), *tried):
            with open(folder_of_records() / (known.name + _ENDING), "a", encoding="utf-8") as file:
                file.write(json.dumps({"end": _TAKEN_BACK if is_back else "finished", "at": time.time()}) + "\n")
        change = unconfirmed_change(cell)
        if is_back and change is not None and change.record == record.name:
            change.place.unlink()


def _read(path: Path) -> Record:
    with open(path, encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            is_running = False
        except OSError:
            is_running = True
        lines = file.read(_LONGEST).split("\n")
    entries: list[dict[str, Any]] = []
    for line in lines:
        with contextlib.suppress(ValueError):  # the last line of a killed program may break off
            if isinstance(entry := json.loads(line), dict):
                entries.append(entry)
    first, *others = entries
    results = tuple((int(entry["step"]), str(entry["verdict"])) for entry in others if "step" in entry)
    begun = [int(entry["begin"]) for entry in others if "begin" in entry]
    ended = {number for number, _ in results}
    left = next((number for number in reversed(begun) if number not in ended), None)
    end = next((str(entry["end"]) for entry in reversed(others) if "end" in entry), "")
    dealt_with = max((float(entry.get("at", 0.0)) for entry in others if "end" in entry), default=0.0)
    return Record(path.stem, plan_of(first["plan"]), float(first["began"]), results, left, end, dealt_with, is_running)


def folder_of_records() -> Path:
    """Return the folder of this user's records."""
    return state_folder() / "applies"


# A change that awaits its confirmation ------------------------------------------------------------------------------


class Unconfirmed(NamedTuple):
    """A change that awaits its confirmation; a cell has at most one."""

    record: str
    """Name of its record."""
    until: float
    """Time when it is taken back, seconds since the epoch."""
    who: str
    """The person who made it, in words."""
    place: Path
    """The file that exists until it is confirmed or taken back."""

    @property
    def words(self) -> str:
        """A sentence about it."""
        moment = time.strftime("%H:%M:%S", time.localtime(self.until))
        if self.until > time.time():
            return f"a change of {self.who} is taken back at {moment} unless it is confirmed: qmon-tui confirm"
        return (
            f"a change of {self.who} was to be confirmed until {moment}, and is not all taken back: qmon-tui confirm"
            f" keeps it, qmon-tui apply --back {self.record} takes back what nobody has changed since"
        )


def unconfirmed_change(cell: Cell) -> Unconfirmed | None:
    """Return the change that awaits its confirmation; None without one."""
    try:
        place = unconfirmed_file(cell)
        data = json.loads(place.read_text("utf-8"))
        return Unconfirmed(str(data["record"]), float(data["until"]), str(data["who"]), place)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def unconfirmed_file(cell: Cell) -> Path:
    """Return the file of the change that awaits its confirmation. Raises OSError if its folder cannot be made."""
    return cell_folder(cell) / "unconfirmed"
