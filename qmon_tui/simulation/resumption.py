"""A simulation that was stopped as bytes, and back: it goes on as if it had not been.

What is read back may come from anywhere, so nothing is built but values and objects of the rooms that know no files,
processes or clock; a text that names anything else is refused.
"""

import io
import pickle
import zlib
from hashlib import sha256
from typing import Any, Final

from qmon_tui.model import read_only
from qmon_tui.simulation.simulator import Simulator

_FIRST: Final = b"qmon-tui simulation 1 "
_ROOMS: Final = (
    "qmon_tui.model.",
    "qmon_tui.values.",
    "qmon_tui.qmaster.",
    "qmon_tui.scheduler.",
    "qmon_tui.simulation.",
)
_BUILT_IN: Final = {("builtins", kind.__name__): kind for kind in (dict, list, set, frozenset, range, slice, complex)}
_MOST: Final = 4 * 1024**3
"""Bytes that a stopped simulation takes at most."""


class CannotResume(ValueError):
    """A file that is no stopped simulation, or that of another day; the text is a sentence."""


def stopped(simulator: Simulator, inputs: bytes) -> bytes:
    """The simulation between two steps; `inputs` is all that it was made of, so that no other one is gone on with."""
    kept = simulator.copy()
    kept.last_run = None  # it holds more than all the rest, and nothing of it is needed to go on
    payload = zlib.compress(pickle.dumps(kept, protocol=5), 1)
    first = f"{sha256(inputs).hexdigest()} {sha256(payload).hexdigest()}\n"
    return _FIRST + first.encode() + payload


def resumed(data: bytes, inputs: bytes) -> Simulator:
    """The simulation of `stopped`. Raises CannotResume where it is none, was changed, or was made of other inputs."""
    line, end, payload = data.partition(b"\n")
    words = line.removeprefix(_FIRST).split()
    if not (line.startswith(_FIRST) and end and len(words) == 2):
        raise CannotResume("this is not a simulation that was stopped by this version")
    if words[1] != sha256(payload).hexdigest().encode():
        raise CannotResume("the file is not complete, or was changed")
    if words[0] != sha256(inputs).hexdigest().encode():
        raise CannotResume("it was made of another cluster, workload, seed or end")
    try:
        simulator = _Reader(io.BytesIO(_unpacked(payload))).load()
    except CannotResume:
        raise
    except Exception as error:
        raise CannotResume(f"the file cannot be read ({type(error).__name__})") from error
    if not isinstance(simulator, Simulator):
        raise CannotResume("this is not a simulation that was stopped by this version")
    return simulator


def _unpacked(payload: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(payload, _MOST)
    if unpacker.unconsumed_tail:
        raise CannotResume("the file is too large")
    return data


class _Reader(pickle.Unpickler):
    """Builds nothing but what a simulation is made of."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (read_only.__module__, read_only.__name__):
            return read_only
        if (module, name) in _BUILT_IN:
            return _BUILT_IN[module, name]
        if module.startswith(_ROOMS) and name.isidentifier():
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise CannotResume(f"the file names {module}.{name}, which no simulation is made of")
