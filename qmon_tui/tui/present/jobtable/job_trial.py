"""What a job would come to, in lines."""

from qmon_tui.tui.present.spans import Line, Span, TextRole, wrap, wrap_lines
from qmon_tui.tui.present.words import count
from qmon_tui.workspace import JobTrial

_MOST = 6


def trial_lines(trial: JobTrial, cells: int, program: str = "qsub") -> tuple[Line, ...]:
    """Refused with its words; where it starts; why it waits, what is nearest, and who is pushed aside."""
    if trial.refused:
        return wrap_lines(trial.refused, cells, TextRole.ERROR, first=f"✗ {program} refuses it: ", rest="  ")
    lines: list[Line] = []
    if trial.running:
        words = "its task runs" if trial.running == 1 else f"{trial.running} of its tasks run"
        lines += wrap(f"{words} on as before", cells, TextRole.RUNNING, first="✓ ", rest="  ")
    for task, places in trial.starts[:_MOST]:
        lead = f"task {task} " if len(trial.starts) + trial.waiting > 1 else ""
        lines += wrap(f"{lead}would start now on {', '.join(places)}", cells, TextRole.RUNNING, first="✓ ", rest="  ")
    if len(trial.starts) > _MOST:
        lines.append((Span(f"  and {count(len(trial.starts) - _MOST, 'more task')}", TextRole.RUNNING),))
    if trial.waiting:
        words = count(trial.waiting, "task") if trial.waiting > 1 or trial.starts else "it"
        lines.append((Span(f"◐ {words} would wait", TextRole.WAITING),))
    lines += _reasons(trial, cells)
    if trial.others:
        numbers = ", ".join(map(str, trial.others[:_MOST]))
        lines += wrap(f"it takes the place of {numbers}, which would start without it", cells, TextRole.WARNING)
    if trial.instead:
        numbers = ", ".join(map(str, trial.instead[:_MOST]))
        lines += wrap(f"{numbers} would start instead", cells, TextRole.PLAIN)
    return tuple(lines)


def _reasons(trial: JobTrial, cells: int) -> list[Line]:
    explanation = trial.explanation
    if explanation is None:
        return []
    lines: list[Line] = []
    for group in explanation.groups[:_MOST]:
        where = f" ({count(len(group.instances), 'queue instance')})" if group.instances else ""
        lines += wrap(f"{group.message}{where}", cells, TextRole.PLAIN, first="  ", rest="    ")
    if explanation.nearest is not None:
        words = "; ".join(missing.words for missing in explanation.nearest.missing)
        lines += wrap(f"nearest {explanation.nearest.place}: {words}", cells, TextRole.PLAIN, first="  ", rest="    ")
    return lines
