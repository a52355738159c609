"""The dialogs that actions of the main screen open: findings, why a job waits, formulas, help, palette, about."""

from functools import partial
from typing import TYPE_CHECKING

from qmon_tui.explain import Change
from qmon_tui.model import Finding, Kind, StateKind
from qmon_tui.report import Line, SearchTarget, about_lines, all_changes, help_topics, line, policies, since_words
from qmon_tui.scheduler.priority import FORMULAS
from qmon_tui.sources.xdg import state_folder
from qmon_tui.tui.base import THEMES, key_of, save_setting
from qmon_tui.tui.dialogs import (
    Answer,
    ChoiceDialog,
    FindingsDialog,
    HelpDialog,
    HelpEntry,
    NameDialog,
    PaletteDialog,
    TextDialog,
    WhyDialog,
    legend,
    local_entries,
    navigation_entries,
    paragraphs,
    registry_entries,
    topic_entries,
)
from qmon_tui.tui.lists import run_editor
from qmon_tui.tui.screens.live_run import BASELINE_SETTING, FIGURES_SETTING
from qmon_tui.tui.screens.palette_targets import PaletteTargets
from qmon_tui.tui.screens.reference_help import open_reference, topic_of
from qmon_tui.values import format_time, parse_moment
from qmon_tui.workspace import Batch, Edit, SetEntry, SetField, edit_of_change

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen


def choose_finding(screen: "ActionScreen") -> None:
    """List all findings; go to the chosen one."""

    def explain(finding: Finding) -> None:
        open_reference(screen.app, topic_of(finding))

    def open_file(finding: Finding) -> None:
        folder = screen.workspace.reading.folder
        path = folder.resolve() / finding.file if folder is not None and finding.file else None
        if path is None or not path.is_file():
            words = f"{finding.file} is no file here" if finding.file else "This finding is about no line of a file"
            screen.notify(f"{words}: Enter goes to its field.", severity="warning", markup=False)
        elif problem := run_editor(screen.app, path, finding.line):
            screen.notify(problem, severity="error", markup=False)

    FindingsDialog(screen.findings, explain, open_file).ask(screen.app, screen.go_to_finding)


def explain_job(screen: "ActionScreen") -> None:
    """Show the explanation of the chosen job; make the change that the user chooses there."""
    row = screen.live.chosen
    if row is None:
        return
    if hidden := screen.workspace.hides_why:
        screen.notify(hidden, severity="warning", markup=False)
        return

    def lines(cells: int) -> tuple[Line, ...]:
        return screen.live.explanation_lines(cells, in_full=True)

    dialog = WhyDialog(
        f"Job {row.number} {row.job.name}",
        lines,
        lambda: len(screen.live.changes),
        screen.live.derivation_lines,
        lambda: open_reference(
            screen.app, help_topics.place_topic("messages.md" if not row.task.granted else "priority.md")
        ),
    )

    def explained() -> None:
        if dialog.is_mounted:
            dialog.show(lines)

    def closed(number: int | None) -> None:
        screen.on_explained = None
        if number is not None and number <= len(screen.live.changes):
            _make_change(screen, screen.live.changes[number - 1])

    screen.on_explained = explained
    screen.app.push_screen(dialog, closed)
    screen.running.explain()


def _make_change(screen: "ActionScreen", change: Change) -> None:
    """Apply a change as one edit; notify the user of parts that cannot be changed here."""
    edits: list[Edit] = []
    others: list[str] = []
    for part in all_changes(change):
        order = None if part.kind in set(Kind) else edit_of_change(screen.workspace.cluster, part)
        if part.kind in set(Kind):
            edits.append(SetField(Kind(part.kind), part.name, part.field, part.after))
        elif order is not None:
            edits.append(order)
        else:
            others.append(part.command)
    if edits:
        edit = edits[0] if len(edits) == 1 else Batch(change.description, tuple(edits))
        if screen.apply(edit):
            screen.workspace.end_typing()
            words = f"{change.description}: not saved yet, {key_of(screen, 'undo')} undoes it"
            screen.notify(words, timeout=5, markup=False)
    if others:
        screen.notify(f"{change.description}: change it where the job or the state is written", markup=False)


def choose_formulas(screen: "ActionScreen") -> None:
    """Choose the formulas of the priorities."""
    now = screen.workspace.formulas
    letters = ("g", "z", "p", "a", "r")
    answers = [Answer(letter, name, name, safe=name == now) for letter, name in zip(letters, FORMULAS, strict=True)]

    def content(cells: int) -> tuple[Line, ...]:
        return policies.formula_lines(
            [(formulas.name, formulas.words, formulas.is_grid_engine) for formulas in FORMULAS.values()], now, cells
        )

    ChoiceDialog("By which formulas are priorities computed?", content, answers, wide=True).ask(
        screen.app, screen.workspace.compute_by
    )


def next_figures(screen: "ActionScreen") -> None:
    """Show the next figures on all pages, and save the choice as a setting."""
    figures = screen.workspace.figures.next
    save_setting(FIGURES_SETTING, figures.name)
    screen.workspace.show_figures(figures)
    screen.notify(f"Pages show: {figures}.", timeout=3, markup=False)


def ask_time(screen: "ActionScreen") -> None:
    """Ask for the time of the state, and set it as an edit."""
    now = screen.workspace.state.now
    if screen.workspace.moment is not None:
        screen.notify("A simulated moment is shown: Monitor goes to another time.", severity="warning", markup=False)
        return

    def check(text: str) -> str | None:
        try:
            parse_moment(text, now)
        except ValueError as error:
            return f"{error}."
        return None

    words = f"It is {format_time(now)} now. An ISO 8601 time such as 2026-11-21T09:00:00, or +5m, +2h from now:"
    NameDialog("Set the time of the state", words, check, format_time(now)).ask(
        screen.app,
        lambda text: screen.apply(SetEntry(StateKind.TIME, "now", (("now", format_time(parse_moment(text, now))),))),
    )


def pin_schedule(screen: "ActionScreen") -> None:
    """Pin the present schedule for comparison; unpin it if one is pinned."""
    workspace = screen.workspace
    if workspace.result is None or workspace.result.outcome is None:
        screen.notify("There is no schedule yet.", severity="warning", markup=False)
        return
    workspace.baseline.pin(workspace.result.outcome if workspace.baseline.pinned is None else None)
    workspace.compare_again()
    words = since_words(workspace.baseline.moment)
    screen.notify(f"The marks ▲ ▼ show what moves {words}.", timeout=4, markup=False)


def choose_baseline(screen: "ActionScreen") -> None:
    """Ask for the baseline of ▲ ▼: the last change or the saved state (kept as a setting), or a pinned schedule."""
    baseline = screen.workspace.baseline
    pinned = baseline.pinned is not None
    answers = [
        Answer("c", "the last change", "change", safe=not pinned and not baseline.of_saved),
        Answer("s", "what was opened or saved last", "saved", safe=not pinned and baseline.of_saved),
        Answer("p", "unpin" if pinned else "the schedule as it is now: pin it", "pin", safe=pinned),
    ]

    def chosen(answer: str) -> None:
        if answer == "pin":
            pin_schedule(screen)
        else:
            save_setting(BASELINE_SETTING, answer)
            baseline.pin(None)
            baseline.of_saved = answer == "saved"
            screen.workspace.compare_again()

    words = f"Now they show what has moved {since_words(baseline.moment)}."
    ChoiceDialog("What do the marks ▲ ▼ compare with?", paragraphs(words), answers).ask(screen.app, chosen)


def next_theme(screen: "ActionScreen") -> None:
    """Switch to the next theme, and save it as a setting."""
    names = list(THEMES)
    name = names[(names.index(screen.app.theme) + 1) % len(names)]
    screen.app.theme = name
    save_setting("theme", name)
    screen.notify(f"Theme: {name}", timeout=2, markup=False)


def open_help(screen: "ActionScreen") -> None:
    """Show the keys and actions possible here; run the chosen action."""

    def chosen(entry: HelpEntry) -> None:
        if entry.go is not None:
            entry.go()
        else:
            screen.do(entry.id)

    registry, now = screen.registry, screen.action_context()
    bound = {active.binding.id or "" for active in screen.active_bindings.values()}
    entries = (*local_entries(registry, bound), *registry_entries(registry, now), *navigation_entries(registry))
    headings = (
        SearchTarget(topic.name, topic.about, partial(open_reference, screen.app, topic), "reference")
        for topic in help_topics.heading_topics()
    )
    topics = topic_entries((*PaletteTargets(screen).topics(), *headings))
    HelpDialog(entries, legend(), topics).ask(screen.app, chosen)


def open_palette(screen: "ActionScreen") -> None:
    """Open the palette; go to the chosen target, or run it."""

    PaletteDialog(PaletteTargets(screen)).ask(screen.app, lambda target: target.go())


def open_about(screen: "ActionScreen") -> None:
    """Show the version, the cluster folder and the program's own folders."""
    reading = screen.workspace.reading
    lines = about_lines(
        str(reading.folder.resolve()) if reading.folder else reading.source.location,
        reading.layout,
        screen.workspace.cluster.dialect,
        screen.app.theme,
        str(state_folder()),
    )
    trust = screen.workspace.trust
    if trust is not None:
        share = f"{trust.right} of {trust.total} starts of the real scheduler were where our run had placed them"
        lines = (*lines, (), line(share), *map(line, trust.misses))
    for file, text in reading.source.others(reading).items():
        lines = (*lines, (), line(f"{file}, kept as it is:"), *map(line, text.splitlines()))
    screen.app.push_screen(TextDialog("About", lambda _: lines))
