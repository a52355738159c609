"""Seeded files of objects that are spelt oddly: tabs, blanks, broken and empty lines, comments, names twice.

Not drawn, as qconf is known to answer otherwise than we do: CR LF, and a blank at the end of a file without a last
line end (both refused with texts that say nothing of it); a backslash or a form feed in a word; a comma and an empty
line at the end of a list; NONE of which a broken line is a part, or from which the next word is broken off (the line in
the message is another); an empty line behind a broken name in a configuration (it becomes part of the name) or a
userset; a digit in the flags of when. Of names that are twice in a queue we tell before wrong values, and in a
configuration only the first is judged.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from tests.differential.object_cases import ADD, FORMED, FRESH, MODIFY, ObjectCase, known, renamed

KINDS: Final = (*FORMED, Kind.HOSTGROUP, Kind.USER, Kind.CONFIGURATION)
_NEW: Final = {Kind.HOST: "host4", Kind.CONFIGURATION: "host4", Kind.HOSTGROUP: f"@{FRESH}"}
_VALUES: Final[dict[Kind, dict[str, tuple[str, ...]]]] = {
    Kind.HOST: {
        "complex_values": ("slots=4,v_int=2", "v_int=2"),
        "load_scaling": ("np_load_avg=2.0,cpu=1.5",),
        "report_variables": ("cpu,np_load_avg",),
        "usage_scaling": ("cpu=0.5,mem=2",),
    },
    Kind.HOSTGROUP: {"hostlist": ("host1 host2", "@one host3", "host1 host2 host3")},
    Kind.PE: {"start_proc_args": ("/bin/a b c", "/a"), "stop_proc_args": ("/bin/true x", "/b"), "slots": ("8", "99")},
    Kind.CKPT: {"ckpt_command": ("/a b c", "a"), "clean_command": ("x", "x y"), "when": ("sx", "s", "mxr")},
    Kind.CALENDAR: {
        "year": ("1.1.2024=on 2.2.2024=off", "1.1.2024,2.2.2024=off"),
        "week": ("mon=8-12=on tue=off", "mon=on tue=off wed=on"),
    },
    Kind.USERSET: {"entries": ("a,b,c", "a b", "a"), "type": ("ACL", "ACL DEPT", "DEPT")},
    Kind.PROJECT: {"oticket": ("5",), "fshare": ("3",)},
    Kind.USER: {"default_project": ("proj1",), "oticket": ("5",)},
    Kind.SCHEDULER: {
        "load_formula": ("np_load_avg", "slots"),
        "params": ("PROFILE=1", "PROFILE=1,MONITOR=1"),
        "job_load_adjustments": ("np_load_avg=0.5,cpu=1",),
        "usage_weight_list": ("cpu=1.0,mem=0.0,io=0.0", "cpu=1 mem=0 io=0"),
    },
    Kind.CONFIGURATION: {},
}
_UNCOMMENTED: Final = ("usage_weight_list", "year", "qsort_args")
"""Fields behind which no comment is drawn; what is behind the name of a sorting library belongs to it."""
_Spelling = Callable[[Random, str, str], str]
"""Spells the line of a name and its value."""
_BLANKS: Final = (" ", "\t", "  ", " \t", "\t\t", "\t ")
_BREAKS: Final = ("\\\n", " \\\n", "\\ \n", "\\\t\n", " \\ \n", "\\\n\\\n", " \\\n \\\n")
_INDENTS: Final = ("", "  ", "            ", "\t")


def odd_cases(seed: int, count: int, base: Cluster) -> Iterator[ObjectCase]:
    """As many cases, the kinds in turn, with one or two odd lines each."""
    random = Random(f"odd {seed}")
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        obj = random.choice([obj for obj in known(kind, base) if len(obj.name) < 50])
        act = MODIFY if spec(kind).single or obj.name == "global" else random.choice((ADD, MODIFY))
        if act == ADD:
            obj = renamed(obj, _NEW.get(kind, FRESH))
        chosen = {field: random.choice(texts) for field, texts in _VALUES[kind].items() if random.random() < 0.6}
        lines = write_object(obj.with_values(chosen), single_line=True).splitlines()
        lines = [line for line in lines if line.strip()]
        if kind is not Kind.CONFIGURATION:
            random.shuffle(lines)
        for _ in range(random.choice((1, 1, 2))):
            _spell_oddly(random, kind, lines)
        yield ObjectCase(kind, act, obj.name, "\n".join(lines) + "\n")


def _spell_oddly(random: Random, kind: Kind, lines: list[str]) -> None:
    at = random.randrange(len(lines))
    name, _, value = lines[at].partition(" ")
    value = value.strip()
    if not value or "\n" in lines[at] or name.startswith("#"):
        return
    if random.random() < 0.15 and kind is not Kind.CONFIGURATION:
        lines.insert(random.randrange(len(lines) + 1), lines[at])
    else:
        spelling = random.choice(_SPELLINGS)
        unfit: dict[_Spelling, bool] = {
            _comment_behind: at == len(lines) - 1
            or name in (spec(kind).name_field, "usage_weight_list", "year", "qsort_args"),
            _empty_line: kind in (Kind.CONFIGURATION, Kind.USERSET),
            _broken_in_word: name == "hostlist",
            _one_sign_and_more: name in ("when", "jsv_url", "hostlist"),
        }
        if unfit.get(spelling):
            spelling = _tab_behind_name
        lines[at] = spelling(random, name, value)


def _tab_behind_name(random: Random, name: str, value: str) -> str:
    return name + random.choice(_BLANKS) + value


def _tab_in_value(random: Random, name: str, value: str) -> str:
    places = [at for at, sign in enumerate(value) if sign in " ,"] or [len(value)]
    at = random.choice(places)
    return f"{name} {value[:at]}{value[at : at + 1]}\t{value[at + 1 :]}"


def _blanks_around(random: Random, name: str, value: str) -> str:
    return f"{random.choice(_BLANKS)}{name} {value}{random.choice(_BLANKS)}"


def _broken_at_gap(random: Random, name: str, value: str) -> str:
    places = [at for at, sign in enumerate(value) if sign in " ,"] or [-1]
    at = random.choice(places) + 1
    return f"{name} {value[:at]}{_broken(random)}{value[at:]}"


def _broken_in_word(random: Random, name: str, value: str) -> str:
    if value.upper() == "NONE":
        return _broken_behind_name(random, name, value)
    at = random.randrange(1, len(value)) if len(value) > 1 else 0
    return f"{name} {value[:at]}{_broken(random)}{value[at:]}"


def _broken_behind_name(random: Random, name: str, value: str) -> str:
    return f"{name}{random.choice(('', ' '))}{_broken(random)}{value}"


def _empty_line(random: Random, name: str, value: str) -> str:
    return f"{name}{random.choice(('', ' '))}{_broken(random)}\n{value}"


def _broken_behind_value(random: Random, name: str, value: str) -> str:
    return f"{name} {value}{random.choice(_BREAKS)}\n"


def _one_sign_and_more(random: Random, name: str, value: str) -> str:
    return f"{name} {random.choice('a1/x')}{_broken(random)}{random.choice(('b', value))}"


def _comment_behind(random: Random, name: str, value: str) -> str:
    return f"{name} {value}{random.choice((' # c', ' #', '#c', chr(9) + '#c'))}"


def _broken(random: Random) -> str:
    return random.choice(_BREAKS) + random.choice(_INDENTS)


_SPELLINGS: Final[tuple[_Spelling, ...]] = (
    _tab_behind_name,
    _tab_in_value,
    _blanks_around,
    _broken_at_gap,
    _broken_at_gap,
    _broken_in_word,
    _broken_behind_name,
    _empty_line,
    _broken_behind_value,
    _one_sign_and_more,
    _comment_behind,
)
