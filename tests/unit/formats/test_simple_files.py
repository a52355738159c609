"""A file as qconf prints it is read at one go: no file may say anything else when it is read so."""

from random import Random

import pytest

from qmon_tui.formats.qconf.objects import read_object, read_simple_file, read_word_by_word, reported_loads
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from tests.fuzz.damage import damaged
from tests.unit.formats.recorded import KIND_OF_CAPTURE, samples

OF_THEIR_OWN = (Kind.COMPLEX, Kind.QUOTA, Kind.SHARETREE)
"""Kinds whose files have other layouts."""
PIECES = (
    "\\\n",
    "\\ \n",
    " \n",
    "\n",
    "\t",
    " ",
    "#",
    "\\",
    "\r\n",
    ",",
    "=",
    "\n\n",
    "\v",
    "load_values a=1\n",
    "[",
    '"',
)


def shown() -> list[tuple[Kind, str]]:
    captures = samples()["captures"].items()
    found = [(KIND_OF_CAPTURE[name.split(".")[1].split("_")[0]], text) for name, text in captures if "show." in name]
    return [(kind, text) for kind, text in found if kind not in OF_THEIR_OWN]


def texts() -> list[tuple[Kind, str]]:
    faults = [(Kind(case["kind"]), case["input"]) for case in (*samples()["faults"], *samples()["fine"])]
    return [*shown(), *((kind, text) for kind, text in faults if kind not in OF_THEIR_OWN)]


def both(kind: Kind, text: str) -> None:
    read, thorough = read_object(kind, text, "folder/NAME"), read_word_by_word(kind, text, "folder/NAME")
    assert read == thorough
    if read[0] and thorough[0]:
        assert read[0].origin
        assert thorough[0].origin
        assert list(read[0].values) == list(thorough[0].values)
        assert (read[0].origin.line, dict(read[0].origin.lines)) == (thorough[0].origin.line, thorough[0].origin.lines)


def test_recorded_files() -> None:
    for kind, text in texts():
        both(kind, text)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files(seed: int) -> None:
    random = Random(seed)
    for kind, text in texts():
        at = random.randrange(len(text) + 1)
        both(kind, text[:at] + random.choice(PIECES) + text[at:])
        both(kind, damaged(random, (text.encode(),)).decode(errors="replace"))


def test_what_qconf_prints_is_plain() -> None:
    unusual = [text for kind, text in shown() if not read_simple_file(kind, text)]
    # A configuration begins with a comment, and `qconf -sq queue@host` prints only some of the attributes.
    assert [text for text in unusual if not text.startswith("#") and "\nhostname " not in text] == []


@pytest.mark.parametrize(
    ("load_values", "loads"),
    [
        ("arch=lx,load_avg=0.5", {"n1": {"arch": "lx", "load_avg": "0.5"}}),
        ("arch=lx, a=b=c", {"n1": {"arch": "lx", "a": "b=c"}}),
        ("arch=lx,a=,=5,word", {"n1": {"arch": "lx"}}),
        ("NONE", {}),
    ],
)
def test_hosts_report_load_values_that_have_a_name_and_a_value(
    load_values: str, loads: dict[str, dict[str, str]]
) -> None:
    hosts = [config_object(Kind.HOST, "N1", {"load_values": load_values}), config_object(Kind.HOST, "n2", {})]
    assert {host: dict(values) for host, values in reported_loads(hosts).items()} == loads
