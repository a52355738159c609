"""Print versions and paths and, where a cluster folder is given, what is in it."""

import argparse
import platform
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import qmon_tui
from qmon_tui.cli.answer import Answer, paragraph
from qmon_tui.cli.cluster_folder import exit_code, read_cluster
from qmon_tui.model.catalogue import specs
from qmon_tui.sources import Reading

_DISTRIBUTIONS = ("qmon-tui", "textual", "ruamel.yaml", "PyYAML", "watchfiles", "ClusterShell")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", nargs="?", help="a cluster folder to count the objects of")


def answer(options: argparse.Namespace) -> Answer:
    """Return versions, paths and, with a path, the contents of the cluster."""
    paths = {"program": str(Path(qmon_tui.__file__).parent), "python": sys.executable}
    facts: dict[str, object] = {"versions": _versions(), "paths": paths}
    notes: tuple[str, ...] = ()
    if options.path is not None:
        reading, notes = read_cluster(options.path)
        facts["cluster"] = _cluster(reading)
        if (cost := reading.source.cost) is not None:
            facts["one reading"] = {
                "clients": reading.live.clients if reading.live else None,
                "commands": cost.commands,
                "bytes": cost.bytes,
                "seconds of clients": f"{cost.seconds:.2f}",
                "each": f"{reading.source.interval:.0f} s on the screen",
            }
        facts["objects"] = {
            spec.kind.value: len(reading.cluster.objects(spec.kind))
            for spec in specs().values()
            if reading.cluster.objects(spec.kind)
        }
        if others := reading.source.others(reading):
            facts["kept as they are"] = {file: f"{len(text.splitlines())} lines" for file, text in others.items()}
    return Answer(facts, lambda width: _lines(facts, width), exit_code(notes), notes=notes)


def _versions() -> dict[str, object]:
    versions: dict[str, object] = {name: _version(name) for name in _DISTRIBUTIONS}
    return {**versions, "python": platform.python_version(), "system": platform.platform(terse=True)}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _cluster(reading: Reading) -> dict[str, object]:
    return {
        "name": reading.cluster.name,
        "path": str(reading.folder.resolve()) if reading.folder else reading.source.location,
        "layout": str(reading.layout),
        "dialect": reading.cluster.dialect,
        "files": len(reading.files),
        "jobs": len(reading.state.jobs),
    }


def _lines(facts: Mapping[str, object], width: int) -> Iterable[str]:
    """Yield each group of facts under its name; numbers are right-aligned."""
    for number, (title, group) in enumerate(facts.items()):
        assert isinstance(group, dict)
        if number:
            yield ""
        yield title
        size = max((len(name) for name in group), default=0)
        digits = max((len(str(value)) for value in group.values() if isinstance(value, int)), default=0)
        for name, value in group.items():
            text = (
                f"{value:>{digits}}" if isinstance(value, int) else str(value) if value is not None else "not installed"
            )
            yield from paragraph(text, width, first=f"  {name:<{size}}  ", rest=" " * (size + 4))
