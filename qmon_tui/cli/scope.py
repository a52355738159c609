"""The arguments --only and --ignore, which say which objects and fields a command looks at."""

import argparse
from collections.abc import Iterable

from qmon_tui.cli.answer import InputError
from qmon_tui.model.catalogue import specs


def scope_arguments(parser: argparse.ArgumentParser, verb: str, past: str) -> None:
    """Declare the arguments; the verb and its past participle say what is done with the objects."""
    parser.add_argument(
        "--only", metavar="KIND/NAME", action="append", default=[],
        help=f"{verb} only these objects, such as queue/all.q, host/node* or quota/*; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--ignore", metavar="FIELD", action="append", default=[],
        help=f"a field that is not {past}; may be repeated",
    )  # fmt: skip


def wanted_objects(patterns: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return kind and pattern of the name of each --only. Raises InputError."""
    kinds = {word: spec.kind.value for spec in specs().values() for word in (spec.kind.value, spec.yaml_key)}
    wanted = []
    for pattern in patterns:
        kind, slash, name = pattern.partition("/")
        if kind not in kinds or not slash:
            raise InputError(f"--only {pattern}: write KIND/NAME, with one of the kinds {', '.join(specs())}.")
        wanted.append((kinds[kind], name))
    return tuple(wanted)


def ignored_fields(options: argparse.Namespace) -> frozenset[str]:
    """Return the fields of --ignore."""
    return frozenset(options.ignore)
