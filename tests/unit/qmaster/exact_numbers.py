"""Every number of an outcome to the last bit, in text; Pythons that have only the standard library import this."""

from collections.abc import Iterator

from qmon_tui.model import Outcome

COLUMNS = ("prior", "ntckts", "tckts", "otckt", "ftckt", "stckt", "share")


def exact_numbers(outcome: Outcome) -> Iterator[str]:
    for job in outcome.jobs:
        for task in job.tasks:
            columns = " ".join(float(getattr(task, column)).hex() for column in COLUMNS)
            yield f"{job.id}.{task.task} {task.state} {dict(task.granted)} {columns}"
    for node in outcome.sharetree:
        yield f"{node.path} {float(node.usage).hex()} {float(node.target).hex()}"
