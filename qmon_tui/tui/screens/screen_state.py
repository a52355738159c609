"""Facts about the main screen that decide which actions are possible, and the state of the top line."""

import time
from typing import TYPE_CHECKING

from qmon_tui.formats import LISTS, file_of
from qmon_tui.model import SGE, Kind
from qmon_tui.model.catalogue import spec
from qmon_tui.report import day_clock, header
from qmon_tui.sources import Cost, Live
from qmon_tui.tui.base import PageView, View
from qmon_tui.tui.keys import NO_ACTIONS, ActionContext, LocalGroup, LocalKey, Pane
from qmon_tui.tui.pages import PAGES_BY_ID

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen
    from qmon_tui.workspace import Trust


def here(screen: "ActionScreen") -> tuple[str, View | None]:
    """Return id and view of the page or panel with the focus; `""` and None if another pane has it."""
    if screen.pane is Pane.PAGE:
        return screen.pages.page, screen.pages.view
    if screen.pane is Pane.FORM and screen.form.panels.panel is not None:
        return screen.form.panels.panel.id, screen.form.panels.view
    return "", None


def action_context_of(screen: "ActionScreen") -> ActionContext:
    """Return the facts that decide which actions are possible."""
    workspace, kind = screen.workspace, screen.kind
    name = None if screen.pages.page else screen.chosen
    where, view = here(screen)
    focused = screen.focused
    typing = focused is not None and focused.check_consume_key("question_mark", "?")
    of_view = view.actions if view is not None and view.is_mounted else NO_ACTIONS
    return ActionContext(
        pane=screen.pane,
        page=screen.pages.page,
        adds=f"{screen.pages.page}.add" in screen.registry.by_id,
        here=where,
        refusal=lambda id_: screen.actions.refusal(id_) or of_view.refusal(id_),
        typing=typing,
        on_text=not typing and focused is not None and focused.check_consume_key("a", "a"),
        read_only=workspace.read_only,
        live=workspace.reading.live is not None,
        rights_refusal=_rights_refusal(screen, view),
        single=not screen.pages.page and spec(kind).single,
        names=not screen.pages.page and kind in LISTS,
        complexes=kind is Kind.COMPLEX,
        has_instances=kind in (Kind.HOST, Kind.HOSTGROUP, Kind.QUEUE),
        object_chosen=name is not None,
        object_changed=name is not None and workspace.is_dirty(kind, name),
        changes=len(workspace.changes()),
        undo=workspace.history.undo_label,
        redo=workspace.history.redo_label,
        findings=len(screen.findings),
        job_chosen=screen.is_fully_mounted and screen.live.chosen is not None,
        jumped=screen.navigation.can_return,
    )


def awaits_rows(screen: "ActionScreen", key: str) -> bool:
    """Return True if a key needs rows of the page or the live pane that the first run has not delivered yet.

    These are the keys that move the cursor, `why`, `delete`, and the page's own.
    """
    view, on_page = screen.pages.view, screen.pane is Pane.PAGE
    if on_page:
        waits = view is not None and view.awaits_first_run
    else:
        waits = screen.pane is Pane.LIVE and screen.workspace.result is None
    entries = (entry for entry in screen.registry if waits and key in screen.registry.keys[entry.id])
    return any(
        entry.group is LocalGroup.MOVING
        if isinstance(entry, LocalKey)
        else entry.id in ("why", "delete") or (on_page and entry.where == screen.pages.page)
        for entry in entries
    )


def header_of(screen: "ActionScreen") -> header.HeaderState:
    """Return the state of the top line."""
    workspace, result = screen.workspace, screen.workspace.result
    live = workspace.reading.live
    errors, warnings = header.count_severities(screen.findings)
    return header.HeaderState(
        crumbs=_crumbs(screen),
        decisions="" if workspace.cluster.dialect == SGE else SGE.removeprefix("sge-"),
        read_only=workspace.read_only,
        writes=screen.cluster_writing.rights().words if live is not None and not workspace.read_only else "",
        edits=header.edits_made(workspace.changes(), workspace.unsaved_steps),
        errors=errors,
        warnings=warnings,
        seconds=result.seconds if result else None,
        running=screen.is_fully_mounted and screen.running.busy and (result is None or result.seconds > 0.15),
        stale=bool(result and result.stale),
        disk=workspace.disk is not None or bool(workspace.unresolved),
        lost=workspace.lost,
        moment=day_clock(workspace.moment.state.now) if workspace.moment is not None else "",
        clients=live.clients if live else "",
        age=max(0.0, time.time() - _read_at(screen, live)) if live else 0.0,
        reading=screen.folder_watch.is_waiting,
        hosts=_hosts_read(screen, live) if live and live.unknown_hosts else "",
        load=_load_words(workspace.source.cost, workspace.trust),
        paused=screen.folder_watch.is_paused,
    )


def _read_at(screen: "ActionScreen", live: Live) -> float:
    """Return when the chosen object was read, on pages when jobs and states were: seconds since the epoch."""
    name = None if screen.pages.page else screen.chosen
    if name is None or screen.workspace.cluster.get(screen.kind, name) is None:
        return live.taken
    return live.read_at(file_of(screen.kind, name))


def _hosts_read(screen: "ActionScreen", live: Live) -> str:
    hosts = len(screen.workspace.cluster.objects(Kind.HOST)) - 1
    return f"{hosts - live.unknown_hosts}/{hosts}"


def _rights_refusal(screen: "ActionScreen", view: View | None) -> str:
    command = view.usual_command if isinstance(view, PageView) else None
    if command is None or not screen.cluster_writing.is_permitted:
        return ""
    refusal = screen.cluster_writing.rights().refusal(command)
    return f"The qmaster would refuse it: {refusal}." if refusal else ""


def _load_words(cost: Cost | None, trust: "Trust | None") -> str:
    """Return commands, KiB and seconds of clients per minute and the share of predicted starts; empty for a folder."""
    if cost is None:
        return ""
    placed = f", placed {trust.right}/{trust.total}" if trust is not None and trust.total else ""
    commands, size, seconds = cost.per_minute()
    return f", {commands:.0f} commands {size / 1024:.0f} KiB {seconds:.1f} s/min{placed}"


def _crumbs(screen: "ActionScreen") -> tuple[str, ...]:
    """Return the path to the focus: cluster, page or kind, the chosen row, and in a form its tab and field."""
    pages = screen.pages
    if pages.page:
        chosen = pages.view.selected if pages.view else None
        return _path(screen, PAGES_BY_ID[pages.page].title, chosen)
    declared = spec(screen.kind)
    chosen = None if declared.single else screen.chosen
    if screen.pane is not Pane.FORM or screen.form.state is None:
        return _path(screen, declared.title, chosen)
    form = screen.form
    tab = form.group() if len(form.groups()) > 1 else None
    scope = form.scope if form.scopes.display else None
    return _path(screen, declared.title, chosen, scope, tab, None if form.panel else form.field)


def _path(screen: "ActionScreen", *crumbs: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (screen.workspace.cluster.name, *crumbs)))
