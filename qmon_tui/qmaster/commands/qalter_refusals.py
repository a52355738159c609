"""Refusals by qalter and the qmaster of options to replace (clients.md#what-qalter-refuses)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from qmon_tui.formats import ParsedQsub, options_given, split_options
from qmon_tui.model import Cluster, Job, Kind, Request, State
from qmon_tui.qmaster.commands.command import OPERATOR
from qmon_tui.qmaster.commands.hold_jid import cycle
from qmon_tui.qmaster.option_texts import NAME_TOO_LONG, SILENT
from qmon_tui.qmaster.running_job_check import objection_to_consumables, objection_to_project_or_ar
from qmon_tui.qmaster.submission_check import refusal_of_change
from qmon_tui.qmaster.verification import is_verified
from qmon_tui.scheduler.configuration import compile_cluster, compile_userset
from qmon_tui.scheduler.jobs import NO_ARRAY
from qmon_tui.values import TOO_LONG

_UNKNOWN: Final = frozenset({"-now", "-clear", "-terse", "-sync", "-verify", "-he", "-C", "-pty"})
_INVALID: Final = frozenset({"-b", "-shell"})
"""Options of qsub that qalter lacks, by its message."""
HELD: Final = "-h"
_HOLDS: Final = re.compile("[uosn]*|[UOS]+")
WAITED_FOR: Final = frozenset({"-hold_jid", "-hold_jid_ad"})
NEVER: Final = "n"
"""-w n: no verification."""
_LISTS: Final = {
    "-q": "queue list",
    "-masterq": "queue list",
    "-M": "mail list",
    "-e": "path list",
    "-o": "stdout path list",
    "-i": "path list",
    "-S": "shell list",
    "-hold_jid": "jid_hold list",
    "-hold_jid_ad": "jid_hold_ad list",
    "-a": "date/time",
    "-dl": "date/time",
}
"""Options that may not be empty."""
_AMONG_OTHERS: Final = frozenset({"-ar", "-N", "-hold_jid", "-hold_jid_ad", "-w"})
_COMPARED: Final = frozenset(
    {"-l", "-soft -l", "-q", "-soft -q", "-masterq", "-pe", "-P", "-ckpt", "-ar", "-N", "-A", "-hold_jid",
     "-hold_jid_ad", "-o", "-e", "-i", "-S"}
)  # fmt: skip
"""Options that the qmaster compares with the cluster."""
_GIVEN_BY: Final[Mapping[str, Mapping[str, Any]]] = {
    "-l": {"hard": ()},
    "-soft -l": {"soft": ()},
    "-q": {"hard_queues": ()},
    "-soft -q": {"soft_queues": ()},
    "-masterq": {"master_queues": ()},
    "-pe": {"pe": None},
    "-ckpt": {"checkpoint": None},
}
"""Option -> the request without it; an existing project cannot be removed by omitting `-P`."""


_PROBLEM: Final = re.compile(r"(?P<option>-\S+) (?P<value>.*): (?P<why>[^:]*)")
_NO_OPTION: Final = "qsub has no option "
_WRONG_VALUE: Final = {
    "-p": 'invalid priority "{}". Must be an integer from -1023 to 1024',
    "-js": "invalid jobshare, must be an unsigned integer",
    "-ot": "invalid override tickets, must be an unsigned integer",
    "-tc": 'invalid task concurrency number "{}". Must be an integer greater or equal to 0.',
    "-m": 'Wrong mail options list format "{}" specified to -m option',
    "-ac": 'Wrong context list format -ac "{}"',
    **{option: f'invalid option argument "{option} {{}}"' for option in ("-R", "-w", "-r", "-j")},
}
"""qalter's messages for invalid values."""


def _in_qalters_words(problem: str) -> Iterator[str]:
    """Yield the problem of a line of options in qalter's words, if known."""
    match = _PROBLEM.fullmatch(problem)
    if problem.startswith(_NO_OPTION):
        yield f'qalter: invalid option argument "{problem.removeprefix(_NO_OPTION)}"'
    elif match is None:
        yield f"qalter: {problem}"
    elif match["option"] in ("-a", "-dl"):
        yield match["why"]
        yield f'qalter: Wrong date/time format "{match["value"]}" specified to {match["option"]} option'
    elif match["option"] == "-pe":
        yield f"qalter: {match['why']}"
    else:
        words = _WRONG_VALUE.get(match["option"])
        yield f"qalter: {problem if words is None else words.format(match['value'])}"


def malformed(given: tuple[str, ...], options: str, parsed: ParsedQsub, number: int) -> Iterator[str]:
    """Yield qalter's own messages for options that are invalid or unknown to it."""
    pieces = split_options(options)
    following = [piece.words[:1] for piece in pieces[1:]]
    empty = [piece for piece in pieces if piece.option in _LISTS and piece.words[1:] == [""]]
    for option in empty:
        if option.option in ("-a", "-dl"):
            yield "no date specified"
        yield f'qalter: Wrong {_LISTS[option.option]} format "" specified to {option.option} option'
    if not empty:
        for problem in parsed.problems:
            yield from _in_qalters_words(problem)
    has_letter_problem = False
    for place, piece in enumerate(pieces):
        words = " ".join(piece.words)
        if piece.option == "-t":
            yield f"found lonely '{words}' option (The -t option needs a leading job name)."
        elif piece.option in _UNKNOWN:
            yield f"Unknown option {words}"
        elif piece.option in _INVALID:
            yield f'qalter: invalid option argument "{piece.option}"'
        elif piece.option == HELD:
            # Without letters the next word is taken for them.
            letters = " ".join(piece.words[1:] or following[place] or [str(number)])
            if not _HOLDS.fullmatch(letters):
                has_letter_problem = True
                yield f'qalter: Unknown hold list "{letters}" specified to -h option'
    if parsed.request.command and not has_letter_problem:
        yield f"qalter: {parsed.request.command[0]} is no option"
    if not given and not parsed.problems and not options.strip():
        yield "qalter: no options"


@dataclass(frozen=True, slots=True)
class Change:
    """A job whose options are being replaced, one after the other."""

    cluster: Cluster
    state: State
    job: Job
    given: tuple[str, ...]
    request: Request
    """The request of the new options."""

    def project_of(self, job: Job) -> str | None:
        """Return the effective project of a job, which may be the user's default; None without a project."""
        return compile_cluster(self.cluster).shares.project_of(job)

    def refusal(self, option: str, after: Job) -> str | None:
        """Return why an option is refused, given the job with it and those before it; None if accepted."""
        if option == "-dl" and OPERATOR not in self._deadline_users():
            return f'job rejected: the user "{OPERATOR}" is not a deadline initiation user'
        if option == "-A" and not self.request.account:
            return 'NULL pointer passed as object name for "account string"'
        if option in WAITED_FOR and HELD in self.given:
            return f"The specified option works only on jobs ({self.job.id})"
        if option == "-hold_jid_ad" and self.job.request.array is None:
            return NO_ARRAY
        if option == "-tc" and self.request.max_running_tasks and self.job.request.array is None:
            return 'invalid option argument "task concurrency"'
        text = self._objection(option, after) if option in _COMPARED else None
        if text is None and option == "-l":
            return objection_to_consumables(compile_cluster(self.cluster), self.job, after)
        return text

    def refusal_at_last(self, after: Job) -> str | None:
        """Return why the whole change is refused (running tasks keep project and reservation); None if accepted."""
        compiled, names_reservation = compile_cluster(self.cluster), "-ar" in self.given
        return objection_to_project_or_ar(compiled, self.job, after, names_reservation=names_reservation)

    def _deadline_users(self) -> frozenset[str]:
        userset = self.cluster.get(Kind.USERSET, "deadlineusers")
        return compile_userset(userset).users if userset else frozenset()

    def _objection(self, option: str, after: Job) -> str | None:
        """Return the qmaster's objection to the altered job; None without, or if it also applies without the option."""
        before = replace(self.job, request=replace(self.job.request, **_GIVEN_BY.get(option, {})))
        text = refusal_of_change(self.cluster, self.state, _by_operator(before), _by_operator(after))
        if text is None:
            return cycle(self.state, after)
        for ours, theirs in _QALTER_WORDS.items():
            text = text.replace(ours, theirs)
        return text


_QALTER_WORDS: Final = {
    "job rejected: the requested parallel environment": "denied: parallel environment",
    "job rejected: the requested checkpointing environment": "denied: checkpointing environment",
    NAME_TOO_LONG: TOO_LONG,
    # The qmaster has no message, and leaves the job as it is.
    SILENT: "a name or an account has no blanks and only characters of ASCII: nothing is changed",
}


def _by_operator(job: Job) -> Job:
    """Return the job without options that only qsub refuses."""
    request = job.request
    kept = tuple(option for option in request.kept if option[0] != "-binding")
    easier = replace(request, priority=min(0, request.priority), deadline=None, verify=NEVER,
                     checkpoint_when="", kept=kept, advance_reservation=None)  # fmt: skip
    return replace(job, request=easier)


def depends_on_others(job: Job, options: str) -> bool:
    """True if the qmaster's messages may depend on other jobs than the altered one, as with verification."""
    return is_verified(job) or not _AMONG_OTHERS.isdisjoint(options_given(options))
