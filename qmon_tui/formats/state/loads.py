"""Load values of hosts and states of queue instances in a YAML file; names may be node sets."""

from collections.abc import Iterable
from typing import Final

from qmon_tui.formats import nodeset
from qmon_tui.formats.state.notes import Notes, small_number
from qmon_tui.formats.yaml.nodes import Node, Scalar
from qmon_tui.model.state import RANGE_ALGORITHMS
from qmon_tui.values.hosts import canonical

QUEUE_STATES: Final = "aACDduESsco"
_COST_DIGITS: Final = 12


def read_loads(notes: Notes, node: Node) -> dict[str, dict[str, str]]:
    """Host -> load value name -> text."""
    found: dict[str, dict[str, str]] = {}
    for name, value in notes.pairs("loads", "sim1: {np_load_avg: 0.3}", node):
        values = {key.text: one.text for key, one in notes.scalars(name.text, "np_load_avg: 0.3", value)}
        for host in hosts_named(notes, name.text, name):
            if host in found:
                notes.say("format.duplicate", f"the load values of {host} are written twice", name)
            else:
                found[host] = values
                notes.place(host, name)
    return found


def read_queue_states(notes: Notes, node: Node) -> dict[str, str]:
    """Queue instance -> state letters; "" in quotes is one that was enabled though its queue starts disabled."""
    found: dict[str, str] = {}
    for name, value in notes.scalars("states", "all.q@sim1: d", node):
        queue, _, host = name.text.partition("@")
        unknown = " ".join(sorted(set(value.text) - set(QUEUE_STATES)))
        if not queue or not host:
            notes.say("format.load", f'"{name.text}" is no queue instance, write all.q@sim1', name)
        elif unknown or not (value.text or value.style):
            notes.say("format.load", f'"{value.text}" is no state, write letters of {QUEUE_STATES}', value)
        else:
            for one in hosts_named(notes, host, name):
                if f"{queue}@{one}" in found:
                    notes.say("format.duplicate", f"the state of {queue}@{one} is written twice", name)
                found.setdefault(f"{queue}@{one}", value.text)
                notes.place(f"{queue}@{one}", name)
    return found


def read_range_costs(notes: Notes, node: Node) -> dict[str, int]:
    """Algorithm of PE_RANGE_ALG -> what searching by it has cost, in hundredths."""
    found: dict[str, int] = {}
    for name, value in notes.scalars("pe_range_costs", "bin: 136", node):
        cost = small_number(value.text, _COST_DIGITS)
        if name.text not in RANGE_ALGORITHMS:
            message = f'"{name.text}" is no way to search, write {", ".join(RANGE_ALGORITHMS)}'
            notes.say("format.load", message, name)
        elif name.text in found:
            notes.say("format.duplicate", f"the cost of {name.text} is written twice", name)
        elif cost is None:
            notes.say("format.load", f'"{value.text}" is no cost, write a whole number such as 136', value)
        else:
            found[name.text] = cost
    return found


def read_simulation(notes: Notes, node: Node) -> dict[str, str]:
    """Name -> text of what only a simulation needs; what is no single value is left to the simulation."""
    pairs = notes.pairs("simulation", "start_delay: 5", node)
    return {name.text: value.text for name, value in pairs if isinstance(value, Scalar)}


def hosts_named(notes: Notes, text: str, node: Node) -> Iterable[str]:
    """The hosts that a host name or node set means; none where it cannot be read."""
    try:
        return [canonical(host) for host in nodeset.expand(text)]
    except ValueError as error:
        notes.say("format.nodeset", str(error), node)
        return ()
