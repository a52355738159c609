"""All readers, each with texts that it can read, and what it may raise."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from qmon_tui.checks import check_object
from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import folder_texts
from qmon_tui.formats.layout import LISTS, Layout, kind_of_file
from qmon_tui.formats.qconf.complex_table import read_complexes
from qmon_tui.formats.qconf.objects import read_list, read_object
from qmon_tui.formats.qconf.quotas import read_quotas
from qmon_tui.formats.qconf.sharetree import read_sharetree
from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.formulas import parse_formula
from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import parse_rule
from qmon_tui.model.sharetree import parse_share_tree
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from qmon_tui.values import calendar_grammar, number, number_ranges, overrides, patterns, subordinates, times

ROOT: Final = Path(__file__).resolve().parents[2]
Read = Callable[[bytes], object]


@dataclass(frozen=True, slots=True)
class Reader:
    """What is called with damaged bytes; `cost` says how many inputs of the others one of its own is worth."""

    name: str
    read: Read
    corpus: tuple[bytes, ...]
    cost: int = 1
    refuses: tuple[type[Exception], ...] = ()
    """What it raises for what it cannot read; readers of files answer with findings and raise nothing."""


def readers() -> tuple[Reader, ...]:
    """Every reader of the program."""
    return (*_values(), *_qconf(), *_yaml(), *_records())


def _text(read: Callable[[str], object]) -> Read:
    return lambda data: read(data.decode("utf-8", "replace"))


_VALUES: Final[Mapping[str, tuple[Callable[[str], object], tuple[str, ...]]]] = {
    "number": (number.parse_number, ("1.5G", "0x1F", "24:0:0", "INFINITY", "010", "-1:30:00", "1e3")),
    "unsigned": (number.parse_unsigned, ("17", "4294967295", "0x10", "+5")),
    "double": (number.parse_double, ("0.5", "1e-3x", "inf", "nan")),
    "boolean": (number.parse_boolean, ("TRUE", "false", "1")),
    "ranges": (number_ranges.parse_ranges, ("1-10:2", "1,3,5-9", "2-", "-8")),
    "overrides": (overrides.parse_overrides, ("1,[node01=4],[@big=8]", "NONE,[n=a=1,b=2]")),
    "subordinates": (subordinates.parse_subordinates, ("a.q=1,b.q", "slots=2(a.q:1:sr, b.q:0:lr),[h=NONE]")),
    "year": (calendar_grammar.parse_year, ("1.1.2027-3.1.2027,24.dec.2026=8-9:30=suspended 5.5.2030",)),
    "week": (calendar_grammar.parse_week, ("mon-fri=20-6=off sat,sun=0-24=suspended", "6-20=on")),
    "time": (times.parse_time, ("2026-11-21T09:00:00", "2026-11-21T09:00:00.5+01:00")),
    "offset": (times.parse_offset, ("+90s", "+1:00:00")),
    "formula": (parse_formula, ("np_load_avg*2-$slots+3", "-a*b*c")),
    "rule": (parse_rule, ("name x users {@a,!b*} hosts @g projects ! to slots=5,h_vmem=$num_proc*2G",)),
    "tree": (parse_share_tree, ("id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1\nid=1\nname=a\nchildnodes=NONE",)),
    "pattern": (lambda text: patterns.evaluate("RESTRING", text, "lx-amd64"), ("(lx-*|sol[0-9])&!lx-x86", "a?b")),
    "qsub": (
        parse_qsub,
        (
            "-N n -l a=1,b -pe mpi 4-8 -t 1-9:2 -tc 2 -hold_jid 1,x -a 11210900 -soft -q a.q@h run 5",
            "-js 5 -ot 1e3 -ar 0x10 -p -5 -c 0:5:0 -binding linear:2 -dl 202611210900.30 sleep 60",
        ),
    ),
}


def _values() -> list[Reader]:
    return [
        Reader(name, _text(read), tuple(text.encode() for text in texts), refuses=(ValueError,))
        for name, (read, texts) in _VALUES.items()
    ]


def _qconf() -> list[Reader]:
    found: list[Reader] = []
    by_kind: dict[Kind, list[bytes]] = {}
    site = read_folder(ROOT / "configs" / "site")
    texts_of_site = folder_texts(Layout.QCONF, site.cluster, site.state).items()
    broken = ROOT / "configs" / "broken-qconf"
    files = [(str(file.relative_to(broken)), file.read_bytes()) for file in broken.rglob("*") if file.is_file()]
    for name, data in (*((name, text.encode()) for name, text in texts_of_site), *files):
        kind = kind_of_file(name)
        if kind is not None and len(data) < 8000:
            by_kind.setdefault(kind, []).append(data)
    for kind, texts in by_kind.items():
        found.append(Reader(f"qconf {kind}", _text(_reader_of(kind)), tuple(texts), cost=4))
    return found


def _reader_of(kind: Kind) -> Callable[[str], object]:
    if kind is Kind.COMPLEX:
        return lambda text: read_complexes(text, "file")
    if kind is Kind.QUOTA:
        return lambda text: read_quotas(text, "file")
    if kind is Kind.SHARETREE:
        return lambda text: read_sharetree(text, "file")
    if kind in LISTS:
        return lambda text: read_list(kind, text, "file")
    return lambda text: _judged(kind, text)


def _judged(kind: Kind, text: str) -> object:
    """What can be read is judged as well: checks never raise."""
    obj, findings = read_object(kind, text, "file")
    return findings, check_object(Cluster(), obj) if obj is not None else ()


def _yaml() -> list[Reader]:
    files = [
        *ROOT.glob("configs/teaching/*.yaml"),
        *ROOT.glob("configs/broken/*.yaml"),
        *ROOT.glob("configs/site/*.yaml"),
    ]
    small = tuple(file.read_bytes() for file in files if file.stat().st_size < 6000)
    teaching = tuple(file.read_bytes() for file in ROOT.glob("configs/teaching/*.yaml"))
    return [
        Reader("yaml", _text(lambda text: read_texts(Layout.YAML, "c", {"c.yaml": text})), small, cost=20),
        Reader("yaml and a run", _text(_run), (b"\n".join(teaching),), cost=60),
    ]


def _run(text: str) -> object:
    """Whatever is left of a damaged cluster is scheduled: the engine never raises."""
    contents = read_texts(Layout.YAML, "c", {"c.yaml": text})
    return schedule(contents.cluster, contents.state)


def _records() -> list[Reader]:
    files = [file for file in ROOT.glob("tests/data/records/*") if file.stat().st_size < 12_000]
    trace = b"; UnixStartTime: 1000\n1 0 5 60 4 55.5 -1 4 120 2048 1 7 3 9 1 -1 -1 -1\n" + b"2 9" + b" 1" * 16 + b"\n"
    named = b"1001;0;-1;15;12;-1;-1;-1;420;-1;-1;user5;account2;-1;normal;normal;;-1;\n"
    corpus = (*(file.read_bytes() for file in files), trace, named)
    return [Reader("records", lambda data: read_records({"file": data}), corpus, cost=6)]
