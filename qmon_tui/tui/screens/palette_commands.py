"""Command lines typed into the palette: disable, enable, qmod, qconf, qsub, qrsub, listings and the commands for jobs.

`qmaster/commands/reading.py` parses qmod and qconf; options of qconf that open an editor open a form here.
"""

import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from qmon_tui.formats import LISTS
from qmon_tui.model import Kind
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster import (
    Command,
    Qdel,
    QmodQueues,
    QmodReschedule,
    Qrdel,
    Qrsub,
    Qsub,
    new_job,
    next_job,
    read_command,
    reserve,
)
from qmon_tui.report import SearchTarget, finished_lines, groups_of
from qmon_tui.report.jobtable import PRESETS, parse_filter
from qmon_tui.sources import SourceError
from qmon_tui.sources.record_file import finished_jobs
from qmon_tui.tui import cluster as cluster_page, jobs, reservations
from qmon_tui.tui.base import run_in_thread
from qmon_tui.tui.dialogs import TextDialog
from qmon_tui.tui.screens.instance_addresses import (
    addressed_instances,
    instances_with_environment,
    without_node_sets,
)
from qmon_tui.tui.screens.object_prompts import ObjectPrompts
from qmon_tui.values import whole_number
from qmon_tui.workspace import CommandEdit, admitted, commands, drains, named_objects

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen


class LineEffect(NamedTuple):
    """The effect of a command line: in words, and as the function that Enter calls."""

    about: str
    go: Callable[[], None]


class NotUnderstood(ValueError):
    """Raised for a command line that is not possible here; the text is a sentence that says what is."""


class PaletteCommands:
    """Parser of command lines. `target` may run in any thread; the function in its result runs on the event loop."""

    def __init__(self, screen: "ActionScreen") -> None:
        self._screen = screen
        self._workspace = screen.workspace

    def target(self, typed: str) -> SearchTarget | None:
        """Return the target of a typed line; None if it begins with no command."""
        line = typed.strip().removeprefix(":").strip()
        try:
            words = shlex.split(line)
        except ValueError:
            words = line.split()
        if not words or words[0] not in _PROGRAMS or words in (["disable"], ["drain"], ["enable"]):
            return None
        try:
            effect = _PROGRAMS[words[0]](self, line, words[1:])
        except ValueError as error:
            reason = str(error)
            return SearchTarget(line, reason, lambda: self._refuse(reason), line)
        return SearchTarget(line, effect.about, effect.go, line)

    @property
    def _user(self) -> str:
        """User who submits jobs and reservations: the user of a running cluster's clients, else the administrator."""
        live = self._workspace.reading.live
        return live.user if live is not None else drains.administrator()

    def _refuse(self, reason: str) -> None:
        self._screen.notify(reason, severity="warning", markup=False)

    def _need_right(self, command: Command) -> None:
        """Raise NotUnderstood if the user of a running cluster has no right to a command."""
        writing = self._screen.cluster_writing
        if writing.is_permitted and (refusal := writing.rights().refusal(command)):
            raise NotUnderstood(f"{refusal}.")

    def _apply(self, edit: CommandEdit) -> None:
        if self._screen.apply(edit):
            self._workspace.end_typing()
            self._screen.notify(edit.label, timeout=3, markup=False)

    # Queue instances --------------------------------------------------------------------------------------------

    def _addressed(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the queue instances that qmod addresses, hosts, node sets or hostgroups name. Raises NotUnderstood."""
        cluster = self._workspace.cluster
        names: dict[str, None] = {}
        for word in words:
            instances = tuple(addressed_instances(cluster, word))
            if not instances:
                raise NotUnderstood(f"There is no queue instance {word}: write node05, node[05-08], @rack, all.q, "
                                    "all.q@node05 or *@@rack.")  # fmt: skip
            names |= dict.fromkeys(instances)
        return tuple(names)

    def disable(self, _: str, words: Sequence[str]) -> LineEffect:
        return self._question_effect("disable {} for a reason", words, cluster_page.ask_disable)

    def enable(self, _: str, words: Sequence[str]) -> LineEffect:
        """Ask which reasons are over, and enable the queue instances that have none left."""
        return self._question_effect("enable {}", words, cluster_page.ask_enable)

    def _question_effect(self, about: str, words: Sequence[str], ask: Callable[..., None]) -> LineEffect:
        """Return the effect that opens the question `ask` about the addressed queue instances."""
        names = self._addressed(words or [""])
        screen, workspace = self._screen, self._workspace
        letters = cluster_page.instance_letters(workspace)
        return LineEffect(about.format(_named(names)), lambda: ask(screen, workspace, names, letters, screen.apply))

    def qmod(self, line: str, words: Sequence[str]) -> LineEffect:
        """Change the state of queue instances or jobs; disabling asks for a reason."""
        if words[:1] in (["-d"], ["-e"]):
            return (self.disable if words[0] == "-d" else self.enable)(line, words[1:])
        command = read_command(self._workspace.cluster, shlex.join(("qmod", *without_node_sets(words))))
        if command is not None:
            self._need_right(command)
        if isinstance(command, QmodQueues):
            names = tuple(name for name in command.names if name not in command.unknown)
            instance_command = command.command
            return LineEffect(f"{command.line.split()[1]} {_named(names)}", lambda: cluster_page.give_command(
                self._screen, self._workspace, instance_command, names, self._screen.apply))  # fmt: skip
        if isinstance(command, QmodReschedule):
            names = command.names
            return LineEffect(command.words, lambda: cluster_page.ask_reschedule(self._screen, self._workspace, names))
        if command is None:
            raise NotUnderstood("qmod takes -d, -e, -sq, -usq, -cq or -rq with queue instances (all.q@node05, "
                                "*@@rack), and -sj, -usj, -cj or -rj with jobs.")  # fmt: skip
        return LineEffect(command.words, lambda: self._apply(CommandEdit(command)))

    def of_jobs(self, line: str, words: Sequence[str]) -> LineEffect:
        command = read_command(self._workspace.cluster, line)
        if isinstance(command, Qdel):
            self._need_right(command)
            targets = command.targets
            return LineEffect(command.words, lambda: jobs.ask_delete(self._screen, self._workspace, targets))
        edit = commands.edit_of_command(self._workspace.cluster, line)
        if edit is None:
            raise NotUnderstood(_JOB_COMMANDS)
        return LineEffect(edit.label, lambda: self._apply(edit))

    def qsub(self, line: str, _: Sequence[str]) -> LineEffect:
        workspace, owner = self._workspace, self._user
        number = next_job(workspace.document.state)
        job = new_job(workspace.state, owner, _options_of(line), number=number)
        if not job.qsub:
            raise NotUnderstood("qsub needs a command: qsub -l h_vmem=2G -N test sleep 600.")
        if problem := admitted(workspace.cluster, workspace.state, job):
            raise NotUnderstood(problem)

        def go() -> None:
            self._apply(CommandEdit(Qsub(job)))
            self._screen.go_to_page("jobs")
            if isinstance(view := self._screen.pages.view, jobs.JobsView):
                view.choose_submitted(number)

        return LineEffect(f"submit job {number} as {owner}", go)

    def qrsub(self, line: str, _: Sequence[str]) -> LineEffect:
        workspace, owner, options = self._workspace, self._user, _options_of(line)
        reply = reserve(workspace.cluster, workspace.state, owner, options)
        if reply.state.reservations == workspace.state.reservations:
            raise NotUnderstood("; ".join(reply.messages))

        def go() -> None:
            self._apply(CommandEdit(Qrsub(owner, options)))
            self._screen.go_to_page("reservations")

        return LineEffect(f"make an advance reservation as {owner}", go)

    def qrdel(self, line: str, _: Sequence[str]) -> LineEffect:
        command = read_command(self._workspace.cluster, line)
        if not isinstance(command, Qrdel):
            raise NotUnderstood("qrdel needs numbers of advance reservations: qrdel 3 4.")
        known = {reservation.id for reservation in self._workspace.state.reservations}
        if missing := next((number for number in command.numbers if number not in known), None):
            raise NotUnderstood(f"There is no advance reservation {missing}.")
        self._need_right(command)

        def go() -> None:
            self._screen.go_to_page("reservations")
            if isinstance(view := self._screen.pages.view, reservations.ReservationsView):
                view.ask_delete(command.numbers)

        return LineEffect(f"{command.words}, after asking", go)

    # Objects ----------------------------------------------------------------------------------------------------

    def qconf(self, line: str, words: Sequence[str]) -> LineEffect:
        """Open the form of an object, add or delete objects, or change attributes."""
        option, *names = words or [""]
        for kind, options in QCONF.items():
            if option in (options.show, options.modify, f"{options.show}l"):
                return self._form_effect(kind, names if options.is_named else ())
            adding = options.modify.replace("-m", "-a", 1) if options.modify and options.is_named else None
            if option == adding and (kind is not Kind.USERSET or len(names) < 2):  # -au USER LIST adds a user
                return LineEffect(f"add a {kind}", lambda kind=kind: self._add(kind, " ".join(names)))  # type: ignore[misc]
            if option == options.delete and kind not in LISTS and options.is_named and names:
                return self._deletion_effect(kind, names)
        command = read_command(self._workspace.cluster, line)
        if command is None:
            raise NotUnderstood(_qconf_words(option))
        return LineEffect(command.words, lambda: self._apply(CommandEdit(command)))

    def _form_effect(self, kind: Kind, names: Sequence[str]) -> LineEffect:
        name = names[0] if names else None
        if name is not None and self._workspace.cluster.get(kind, name) is None and name != "global":
            raise NotUnderstood(f"There is no {kind} {name}.")
        return LineEffect(f"the form of {kind} {name}" if name else spec(kind).title,
                    lambda: self._screen.go_to(kind, name, _first_field(kind) if name else None))  # fmt: skip

    def _add(self, kind: Kind, name: str) -> None:
        self._screen.go_to(kind)
        ObjectPrompts(self._screen).add(name)

    def _deletion_effect(self, kind: Kind, words: Sequence[str]) -> LineEffect:
        names = tuple(name for word in words for part in word.split(",") for name in named_objects(kind, part))
        for name in names:
            if self._workspace.cluster.get(kind, name) is None:
                raise NotUnderstood(f"There is no {kind} {name}.")
        what = names[0] if len(names) == 1 else f"{len(names)} objects"
        return LineEffect(
            f"delete {what}, after asking", lambda: ObjectPrompts(self._screen).delete_objects(kind, names)
        )

    # Listings ---------------------------------------------------------------------------------------------------

    def qstat(self, _: str, words: Sequence[str]) -> LineEffect:
        """Show the jobs or queue instances that the options of qstat choose."""
        options = dict(_options(words, _QSTAT_VALUES, _QSTAT_FLAGS, "qstat"))
        if "-j" in options:
            return LineEffect("the job", lambda: self._screen.go_to_page("jobs", options["-j"]))
        if options.get("-g") == "c" or "-f" in options:
            listing = "Queue instances (qstat -f)" if "-f" in options else "Cluster queues (qstat -g c)"
            chosen = " ".join(f"{name} {options[name]}" for name in ("-q", "-qs") if name in options)
            return LineEffect(listing, lambda: self._cluster(listing, chosen))
        chosen = " ".join(f"{name} {value}" for name, value in options.items() if name in _QSTAT_FILTERS)
        job_filter = parse_filter(chosen, groups_of(self._workspace.cluster))
        if job_filter.problem:
            raise NotUnderstood(f"{job_filter.problem}.")
        preset = next((f"qstat {name}" for name in ("-ext", "-urg", "-pri") if name in options), "")
        return LineEffect(f"jobs {chosen}" if chosen else "all jobs", lambda: self._jobs(chosen, preset))

    def qhost(self, _: str, words: Sequence[str]) -> LineEffect:
        options = dict(_options(words, ("-h",), ("-q", "-j"), "qhost"))
        chosen = f"host={options['-h']}" if "-h" in options else ""
        return LineEffect("Hosts (qhost)", lambda: self._cluster("Hosts (qhost)", chosen))

    def qacct(self, _: str, words: Sequence[str]) -> LineEffect:
        """Show accounting records: of a job, of the jobs of a user, or of all jobs that ended in the last hour."""
        live = self._workspace.reading.live
        if live is None:
            raise NotUnderstood("A folder has no accounting file: qmon-tui qacct FILE reads one.")
        given = ("-j", *words) if len(words) == 1 and whole_number(words[0]) is not None else words
        options = dict(_options(given, ("-j", "-o"), (), "qacct"))
        job, owner = whole_number(options.get("-j", ""), 1), options.get("-o", "")
        about = f"how job {job} has ended" if job else f"jobs of {owner or 'all users'} that ended in the last hour"

        async def show() -> None:
            since = int(time.time()) - 3600
            try:
                recorded = await run_in_thread(
                    lambda: finished_jobs(live.accounting, job=job, owner=owner, since=since)
                )
            except SourceError as error:
                self._refuse(str(error))
                return
            self._screen.app.push_screen(
                TextDialog(about[0].upper() + about[1:], lambda cells: tuple(finished_lines(recorded, cells)))
            )

        def go() -> None:
            self._screen.run_worker(show())

        return LineEffect(about, go)

    def qselect(self, _: str, words: Sequence[str]) -> LineEffect:
        options = dict(_options(words, ("-q", "-qs", "-pe"), (), "qselect"))
        chosen = " ".join(f"{name} {options[name]}" for name in ("-q", "-qs") if name in options)
        if (pattern := options.get("-pe")) is not None:
            names = tuple(instances_with_environment(self._workspace.cluster, pattern))
            if not names:
                raise NotUnderstood(f"No queue instance has a parallel environment {pattern}.")
            chosen = f"{chosen} -q {','.join(names)}".strip()
        listing = "Queue instances (qstat -f)"
        return LineEffect(listing, lambda: self._cluster(listing, chosen))

    def _jobs(self, chosen: str, preset: str) -> None:
        self._screen.go_to_page("jobs")
        view = self._screen.pages.view
        if isinstance(view, jobs.JobsView):
            settings = replace(view.settings, filter=parse_filter(chosen, groups_of(self._workspace.cluster)))
            view.apply_settings(replace(settings, columns=PRESETS[preset]) if preset else settings)

    def _cluster(self, listing: str, chosen: str) -> None:
        self._screen.go_to_page("cluster")
        view = self._screen.pages.view
        if isinstance(view, cluster_page.ClusterView):
            view.filter = chosen
            view.show_listing(cluster_page.ListingKind(listing))


_QSTAT_FILTERS: Final = ("-u", "-s", "-q", "-pe", "-P", "-l")
_QSTAT_VALUES: Final = (*_QSTAT_FILTERS, "-j", "-g", "-qs")
_QSTAT_FLAGS: Final = ("-f", "-ext", "-urg", "-pri", "-r", "-t")
_JOB_COMMANDS: Final = "Possible are qdel, qhold, qrls, qalter and qmod with numbers of jobs, such as qhold -h u 17,18."


def _options(
    words: Sequence[str], values: Sequence[str], flags: Sequence[str], program: str
) -> Iterator[tuple[str, str]]:
    """Yield option and value, "" for a flag. Raises NotUnderstood."""
    rest = iter(words)
    for word in rest:
        if word in flags:
            yield word, ""
        elif word in values:
            value = next(rest, "")
            if not value or (word == "-j" and whole_number(value) is None):
                raise NotUnderstood(f"{program} {word} needs a {'number' if word == '-j' else 'value'}.")
            yield word, value
        else:
            raise NotUnderstood(f"{program} {word} is not known here: {', '.join((*flags, *values))} are.")


def _options_of(line: str) -> str:
    """Return a command line without its first word."""
    return line.partition(" ")[2].strip()


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} queue instances"


def _first_field(kind: Kind) -> str | None:
    known = spec(kind)
    return next((field.name for field in known.fields if field.name != known.name_field), None)


def _qconf_words(option: str) -> str:
    """Return a sentence about the possible options of qconf."""
    if option in ("-aattr", "-mattr", "-rattr", "-dattr"):
        return f"qconf {option} needs a kind, an attribute, a value and names: qconf {option} queue seq_no 5 all.q."
    kinds = " ".join(options.modify for options in QCONF.values() if options.modify)
    return (
        f"qconf {option} is not known here. Forms: {kinds}; the same with -s shows, with -a adds, with -d deletes; "
        "-aattr, -mattr, -rattr and -dattr change attributes."
    )


_PROGRAMS: Final[Mapping[str, Callable[[PaletteCommands, str, Sequence[str]], LineEffect]]] = {
    **dict.fromkeys(("disable", "drain"), PaletteCommands.disable),
    "enable": PaletteCommands.enable,
    "qmod": PaletteCommands.qmod,
    "qconf": PaletteCommands.qconf,
    "qstat": PaletteCommands.qstat,
    "qhost": PaletteCommands.qhost,
    "qselect": PaletteCommands.qselect,
    "qacct": PaletteCommands.qacct,
    "qsub": PaletteCommands.qsub,
    "qrsub": PaletteCommands.qrsub,
    "qrdel": PaletteCommands.qrdel,
    **dict.fromkeys(("qdel", "qhold", "qrls", "qalter"), PaletteCommands.of_jobs),
}
