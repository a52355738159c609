"""Columns for what a job was submitted with, option by option: those of qmon's Customize that qstat has not."""

from collections.abc import Callable
from typing import Final

from qmon_tui.model.state import Request
from qmon_tui.tui.present.jobtable.column import JobColumn, request_of, time_words


def _said(key: str, title: str, help_: str, read: Callable[[Request], str], most: int = 14) -> JobColumn:
    return JobColumn(key, title, help_, lambda row: read(request_of(row)), min(len(title), most), most)


def _kept(key: str, option: str, help_: str, most: int = 20) -> JobColumn:
    """An option without a meaning for scheduling: its argument, or `y` where it has none."""

    def read(request: Request) -> str:
        return ",".join(argument or "y" for one, argument in request.kept if one == option)

    return _said(key, key, f"{help_} ({option})", read, most)


def _number(key: str, title: str, help_: str, read: Callable[[Request], int]) -> JobColumn:
    return JobColumn(key, title, help_, lambda row: str(read(request_of(row)) or ""), len(title), 10, True,
                     lambda row: read(request_of(row)), falling=True)  # fmt: skip


OPTION_COLUMNS: Final[tuple[JobColumn, ...]] = (
    _number("js", "jobshare", "job share (-js)", lambda request: request.job_share),
    _number("tc", "at once", "tasks that may run at the same time (-tc)", lambda request: request.max_running_tasks),
    _said("reserve", "reserve", "a reservation is wanted (-R y)", lambda request: "y" if request.reserve else ""),
    _said("rerun", "rerun", "may be run again (-r)", lambda request: request.rerun),
    _said("now", "now", "at once or not at all (-now y)", lambda request: "y" if request.immediate else ""),
    _said("ckpt", "ckpt", "checkpointing environment (-ckpt)", lambda request: request.checkpoint or ""),
    _said("ar", "ar", "advance reservation (-ar)", lambda request: request.advance_reservation or ""),
    JobColumn("before", "not before", "not before that time (-a)",
              lambda row: time_words(request_of(row).start_time), 10, 19,
              order=lambda row: request_of(row).start_time or 0),
    _said("hardq", "queues", "queues that it may use (-q)", lambda request: ",".join(request.hard_queues), 20),
    _said("softq", "soft queues", "queues that it would rather use (-soft -q)",
          lambda request: ",".join(request.soft_queues), 20),
    _said("masterq", "masterq", "queues of the master task (-masterq)",
          lambda request: ",".join(request.master_queues), 20),
    _said("command", "command", "what is run, with its arguments", lambda request: " ".join(request.command), 30),
    _kept("cwd", "-cwd", "in the folder of its submission", 4),
    _kept("wd", "-wd", "working directory"),
    _kept("stdout", "-o", "where the output goes"),
    _kept("stderr", "-e", "where errors go"),
    _kept("merge", "-j", "errors go to the output", 5),
    _kept("mail", "-m", "when mail is sent", 6),
    _kept("mailto", "-M", "who gets the mail"),
    _kept("notify", "-notify", "it is warned before it is stopped", 6),
    _kept("context", "-ac", "context"),
    _kept("shell", "-S", "shell"),
    _kept("env", "-v", "variables"),
)  # fmt: skip
