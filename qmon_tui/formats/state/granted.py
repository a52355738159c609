"""Queue instances with slots in a YAML file: what a task or an advance reservation has."""

from qmon_tui.formats.state.notes import Notes, small_number
from qmon_tui.formats.yaml.nodes import Node, Scalar, resolve
from qmon_tui.values.hosts import canonical


def read_granted(notes: Notes, node: Node | None, rule: str, job: int | None = None) -> dict[str, int] | None:
    """Queue instance -> slots, one slot where only its name is given; None where that cannot be read, which is said."""
    body = resolve(node) if node is not None else None
    if body is None:
        return {}
    if isinstance(body, Scalar) and "@" in body.text:
        return {_instance(body.text): 1}
    granted: dict[str, int] = {}
    for key, value in notes.scalars("granted", "all.q@sim1: 1", body):
        slots = small_number(value.text, 7)
        if "@" in key.text and slots:
            granted[_instance(key.text)] = slots
        else:
            message = "granted is a queue instance and its slots: all.q@sim1: 1"
            notes.say(rule, message, key, job, "tasks" if job is not None else None)
            return None
    return granted


def _instance(text: str) -> str:
    """A queue instance with its host as hosts are kept."""
    queue, _, host = text.partition("@")
    return f"{queue}@{canonical(host)}"
