"""A stopped simulation as bytes, and back; it continues as if it had not been stopped.

The bytes may come from anywhere: so only values, and objects of packages without access to files, processes or clock,
are built; bytes that name anything else are refused.
"""

import io
import pickle
import zlib
from hashlib import sha256
from importlib import import_module
from typing import Any, Final, TypeGuard

from qmon_tui.model import Cluster, State, read_only
from qmon_tui.simulation.plain_pickle import NotPlain, check_plain
from qmon_tui.simulation.simulator import Simulator

_FIRST: Final = b"qmon-tui simulation 1 "
_ROOMS: Final = (
    "qmon_tui.model.",
    "qmon_tui.values.",
    "qmon_tui.qmaster.",
    "qmon_tui.scheduler.",
    "qmon_tui.simulation.",
)
_BUILT_IN: Final = {("builtins", "dict"): dict}
_CALLED: Final = frozenset((read_only, dict))
_MOST: Final = 4 * 1024**3
"""Most bytes of an unpacked simulation."""
_PACKED: Final = 100
"""Highest ratio of unpacked to packed size; simulations have about 5."""
_SMALL: Final = 64 * 1024**2
"""Size in bytes up to which the ratio is not checked."""


class CannotResume(ValueError):
    """Raised for a file that is no stopped simulation, or one of another day; the text is a sentence for the user."""


def stopped(simulator: Simulator, inputs: bytes) -> bytes:
    """Return the simulation between two steps as bytes; `resumed` refuses them for other `inputs`."""
    kept = simulator.copy()
    kept.last_run = None  # the largest part, not needed to continue
    payload = zlib.compress(pickle.dumps(kept, protocol=5), 1)
    first = f"{sha256(inputs).hexdigest()} {sha256(payload).hexdigest()}\n"
    return _FIRST + first.encode() + payload


def resumed(data: bytes, inputs: bytes) -> Simulator:
    """Return the simulation from the bytes of `stopped`. Raises CannotResume for other or changed bytes or inputs."""
    line, end, payload = data.partition(b"\n")
    words = line.removeprefix(_FIRST).split()
    if not (line.startswith(_FIRST) and end and len(words) == 2):
        raise CannotResume("this is not a simulation that was stopped by this version")
    if words[1] != sha256(payload).hexdigest().encode():
        raise CannotResume("the file is not complete, or was changed")
    if words[0] != sha256(inputs).hexdigest().encode():
        raise CannotResume("it was made of another cluster, workload, seed or end")
    try:
        pickled = _unpacked(payload)
        check_plain(pickled, _find_class, _CALLED, len(payload))
        simulator = _Reader(io.BytesIO(pickled)).load()
    except CannotResume:
        raise
    except NotPlain as error:
        raise CannotResume(f"the file is more than data: {error}, which no simulation does") from error
    except Exception as error:
        raise CannotResume(f"the file cannot be read ({type(error).__name__})") from error
    if not _is_whole(simulator):
        raise CannotResume("this is not a simulation that was stopped by this version")
    return simulator


def _is_whole(simulator: object) -> TypeGuard[Simulator]:
    """True if it is a simulator with all attributes of one, each of the right type."""
    if not isinstance(simulator, Simulator):
        return False
    values = vars(simulator)
    usual = vars(Simulator(Cluster(), State()))
    return values.keys() == usual.keys() and all(
        type(values[name]) is type(value) for name, value in usual.items() if value is not None
    )


def _unpacked(payload: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(payload, min(_MOST, max(_SMALL, _PACKED * len(payload))))
    if unpacker.unconsumed_tail:
        raise CannotResume("the file is too large when it is unpacked")
    return data


class _Reader(pickle.Unpickler):
    """Unpickler that builds only the classes of a simulation."""

    def find_class(self, module: str, name: str) -> Any:
        return _find_class(module, name)


def _find_class(module: str, name: str) -> Any:
    """Return the class or function of a name that a simulation may consist of. Raises CannotResume for any other."""
    if (module, name) == (read_only.__module__, read_only.__name__):
        return read_only
    if (module, name) in _BUILT_IN:
        return _BUILT_IN[module, name]
    if module.startswith(_ROOMS) and name.isidentifier():
        named = getattr(import_module(module), name, None)
        if isinstance(named, type) and named.__module__ == module:
            return named
    raise CannotResume(f"the file names {module}.{name}, which no simulation is made of")
