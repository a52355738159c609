"""Seeded generators of complex lists and queue files: valid, nearly valid and odd ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from qmon_tui.formats.qconf.complex_table import COLUMNS
from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.kinds import Kind
from qmon_tui.values.lists import is_none

EXISTING_QUEUE: Final = "there.q"
NEW_QUEUE: Final = "new.q"
DELETED_QUEUES: Final = (EXISTING_QUEUE, "sub.q", "gone.q")

ADDED_BY_ITSELF: Final = "m_thread"
"""The qmaster keeps it, and we do not mind where a saved list lacks it."""

NUMBERS: Final = (
    *("0", "1", "2", "-1", "1.5", "010", "0x1F", "1e3", "1G", "2.5M", "3k", "0K", "-5m", "1t", "1:0:0", "0:90:0"),
    *("::", "::30", "-1:0:0", "1.5:0:0", "TRUE", "false", "INFINITY", "infinity", "inf", "nan", "+7", ".5", "5."),
    *("08", "1:30", "1:2:3:4", "1GB", "1 2", "foo", "NONE", "0x", "--1", "1/2", "1,5", "1P", "0x1.8", "1e999", "-0"),
)
"""About as many that parse (values.md#numbers) as do not."""
UNSIGNED: Final = ("0", "1", "7", "1e2", "0x10", "010", "1.0", "+5", "4294967295", "4294967296", "-1", "1.5", "x", "5x")
NAMES: Final = (
    *("fresh", "Fresh", "v_int", "vi", "arch", "a", "slots", "tmpdir", "hostname", "h_vmem", "used_q", "used_h"),
    *("1st", "a=b", "ü", "none", "NONE", "tem.plate", "x-y", "a/b", "min_cpu_inter", "np_load_avg", "swap_used"),
)
TYPES: Final = ("INT", "DOUBLE", "TIME", "MEMORY", "BOOL", "STRING", "CSTRING", "RESTRING", "HOST")
ODD_TYPES: Final = ("int", "Bool", "MEM", "BOOLEAN", "RSMAP", "")
RELOPS: Final = ("<=", "==", ">=", "<", ">", "!=", "EXCL")
ODD_RELOPS: Final = ("excl", "=", "=<", "<>", "EXCLUSIVE")
REQUESTABLES: Final = ("YES", "NO", "FORCED")
ODD_REQUESTABLES: Final = ("y", "n", "f", "yes", "Forced", "TRUE", "MAYBE")
CONSUMABLES: Final = ("NO", "YES", "JOB")
ODD_CONSUMABLES: Final = ("y", "n", "job", "j", "HOST", "1")

ENTRY_NAMES: Final = ("v_int", "vi", "v_dbl", "v_time", "v_mem", "v_bool", "v_excl", "v_str", "v_host", "slots", "nope")
ENTRY_VALUES: Final = (*NUMBERS, "host1", "text", "h*", '"a b"')
HOST_VALUES: Final = ("host1", "HOST2", "h*", "host3")
"""All of them resolve or are patterns: what else could be resolved, only the real system's network knows."""
KEYS: Final = (
    *("host1", "host2", "host3", "@one", "@two", "@nested", "@empty", "@nope", "HOST1", "nohost.nowhere", ""),
    *("@ONE", "@Two"),
)
REFERENCES: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.PE: ("mpi", "smp", "make", "nope", "MPI", "m*"),
    Kind.CKPT: ("saver", "other", "nope"),
    Kind.USERSET: ("acl1", "dept1", "deadlineusers", "nope"),
    Kind.PROJECT: ("proj1", "proj2", "nope"),
    Kind.CALENDAR: ("nights", "none", "NONE", "nope"),
    Kind.QUEUE: ("sub.q", "there.q", "new.q", "nope.q"),
}
FREE_TEXTS: Final = ("NONE", "none", "/tmp", "tmp", "a b", "/x y", "$HOME", "/a[b]", "#x", "/tmp # x", "%s", "ä", "a,b")
CHOICE_TEXTS: Final = ("NONE", "BATCH", "Unix_Behavior", "DEFAULT", "disabled", "nonsense", "INTERACTIVE,BATCH")
RANGE_TEXTS: Final = ("UNDEFINED", "undefined", "1", "1-3", "1,2", "3-1", "1-", "NONE", "a", "1-3:2")
SUBORDINATES: Final = (
    *("NONE", "sub.q", "sub.q=2", "sub.q:3", "sub.q=x", "new.q", "there.q", "nope.q", "slots=2(sub.q)"),
    *(
        "slots=1(sub.q:1:lr)",
        "slots=0(sub.q)",
        "slots=2(sub.q:1:xx)",
        "slots=(sub.q)",
        "sub.q=1.5",
        "slots=2",
        "sub.q=0",
    ),
)
HOSTLISTS: Final = (
    *("NONE", "host1", "host1 host2", "host1,host2", "@one", "@two host3", "@nested", "@empty", "HOST1", "@nope"),
    *("NONE host1", "host1 host1", "host1 @one", "host1 NONE", "host*", "@ONE", "@Nested", "@two @TWO"),
)
QUEUE_NAMES: Final = (
    "new.q",
    "1q",
    "q",
    "q*",
    "a b",
    "a/b",
    "ALL",
    "template",
    ".q",
    "ü.q",
    "q@h",
    "x" * 513,
    "q%",
    "q=1",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A file, or the name of a queue to delete, for one qconf option."""

    option: str
    text: str

    @property
    def kind(self) -> Kind:
        """What it is about."""
        return Kind.COMPLEX if self.option == "-Mc" else Kind.QUEUE


def cases(seed: int, count: int, base: Cluster) -> Iterator[Case]:
    """As many cases for -Mc, -Aq and -Mq, in turn; now and then a deletion."""
    random = Random(seed)
    for number in range(count):
        option = ("-Mc", "-Aq", "-Mq")[number % 3]
        if option == "-Mc":
            yield Case(option, complex_file(random, base))
        elif random.random() < 0.05:
            yield Case("-dq", random.choice(DELETED_QUEUES))
        else:
            yield Case(option, queue_file(random, base, option))


def complex_file(random: Random, base: Cluster) -> str:
    """The list of a cluster with one line more, changed or less."""
    rows = [[obj.text(column) for column in COLUMNS] for obj in base.objects(Kind.COMPLEX).values()]
    lot = random.random()
    if lot < 0.1:
        rows.remove(random.choice([row for row in rows if row[0] != ADDED_BY_ITSELF]))
    elif lot < 0.16:
        torn = random.choice(rows)
        torn[:] = random.choice((["#", *torn], [*torn, "#", "more"], [*torn, "more"], torn[:-1]))
    else:
        known = {row[0]: row for row in rows}
        fresh = _entry(random)
        if fresh[0] not in known:
            rows.append(fresh)
        elif random.random() < 0.8:
            _vary(random, known[fresh[0]])
        else:
            rows.append(list(known[fresh[0]]))
    return "\n".join("   ".join(row) for row in rows) + "\n"


def _entry(random: Random) -> list[str]:
    """An entry that is likely to be all right but for one column."""
    kind = random.choice(TYPES)
    text = kind in TYPES[5:]
    consumable = "NO" if text else random.choice(CONSUMABLES)
    requestable = random.choice(REQUESTABLES)
    relop = random.choice(RELOPS[1::4] if text or kind == "BOOL" else RELOPS[:6])
    if consumable != "NO":
        relop = "EXCL" if kind == "BOOL" else "<="
    default = "NONE" if text else "1" if consumable != "NO" and requestable == "NO" else "0"
    name = random.choice(NAMES)
    entry = [
        name,
        random.choice(("new", name, random.choice(NAMES))),
        kind,
        relop,
        requestable,
        consumable,
        default,
        "0",
    ]
    if random.random() < 0.65:
        _vary(random, entry)
    return entry


def _vary(random: Random, row: list[str]) -> None:
    column = random.randrange(1, len(COLUMNS))
    pools = (
        NAMES,
        NAMES,
        (*TYPES, *ODD_TYPES),
        (*RELOPS, *ODD_RELOPS),
        (*REQUESTABLES, *ODD_REQUESTABLES),
        (*CONSUMABLES, *ODD_CONSUMABLES),
        NUMBERS,
        NUMBERS,
    )
    row[column] = random.choice(pools[column])


def queue_file(random: Random, base: Cluster, option: str) -> str:
    """A queue with one to three fields varied, or with a fault of form."""
    there = base.get(Kind.QUEUE, EXISTING_QUEUE)
    assert there is not None
    # Now and then what is added is there, and what is changed is not.
    name = EXISTING_QUEUE if (option == "-Mq") == (random.random() < 0.95) else NEW_QUEUE
    if option == "-Aq" and random.random() < 0.1:
        name = random.choice(QUEUE_NAMES)
    values = {field.name: there.text(field.name) for field in spec(Kind.QUEUE).fields}
    values |= {"qname": name, "complex_values": "NONE"}
    torn = random.random() < 0.08
    varied = () if torn else random.sample(spec(Kind.QUEUE).fields[1:], random.choice((1, 1, 1, 2, 3)))
    for field in varied:
        values[field.name] = _field_text(random, field)
    text = write_object(config_object(Kind.QUEUE, name, values), single_line=True)
    return with_fault_of_form(random, text) if torn else text


def _field_text(random: Random, field: Field) -> str:
    text = plain_text(random, field)
    if not field.per_host or random.random() < 0.65:
        return text
    parts = [text] if random.random() < 0.93 else []
    parts += [f"[{random.choice(KEYS)}={plain_text(random, field)}]" for _ in range(random.choice((1, 1, 2)))]
    glue = "," if random.random() < 0.9 else random.choice((" ", ", ", ",,"))
    return glue.join(parts)


def plain_text(random: Random, field: Field) -> str:
    """Something for a field on all hosts, right or wrong."""
    pools: Mapping[ValueType, tuple[str, ...]] = {
        ValueType.UNSIGNED: UNSIGNED,
        ValueType.NUMBER: NUMBERS,
        ValueType.TIME: NUMBERS,
        ValueType.MEMORY: NUMBERS,
        ValueType.BOOLEAN: ("TRUE", "f", "1", "yes", "on", "2", "NONE"),
        ValueType.PATH: ("/bin/sh", "/", "/a b", "bin/sh", "NONE"),
        ValueType.CHOICE: (*field.choices, *CHOICE_TEXTS),
        ValueType.FLAGS: (*CHOICE_TEXTS, "BATCH INTERACTIVE", "batch batch", "PARALLEL"),
        ValueType.RANGES: RANGE_TEXTS,
        ValueType.HOSTS: HOSTLISTS,
        ValueType.SUBORDINATES: SUBORDINATES,
    }
    if field.name == "priority":
        return random.choice((*UNSIGNED, "20", "21", "-20", "-21", "0abc", "abc"))
    if field.type is ValueType.ENTRIES:
        return _entries(random)
    if field.refers_to is not None and field.refers_to in REFERENCES and field.type is not ValueType.SUBORDINATES:
        return _references(random, REFERENCES[field.refers_to], one=field.type is ValueType.REFERENCE)
    return random.choice(pools.get(field.type, FREE_TEXTS))


def _entries(random: Random) -> str:
    if random.random() < 0.1:
        return random.choice(
            ("NONE", "none", "v_int", "v_int=", "=5", "v_int=1,,v_dbl=2", "v_int:5", "v_int=5=6", "v_int == 5")
        )
    names = random.choices(ENTRY_NAMES, k=random.choice((1, 1, 2)))
    entries = (f"{name}={random.choice(HOST_VALUES if name == 'v_host' else ENTRY_VALUES)}" for name in names)
    return random.choice((",", " ")).join(entries)


def _references(random: Random, pool: tuple[str, ...], *, one: bool) -> str:
    if one or random.random() < 0.2:
        return random.choice(("NONE", *pool))
    names = [random.choice((*pool[:2], *pool)) for _ in range(random.choice((1, 2, 3)))]
    return random.choice((" ", ",", ", ")).join(name for name in names if not is_none(name)) or "NONE"


def with_fault_of_form(random: Random, text: str) -> str:
    """A file with a fault of form: a line missing, twice, unknown, without value, broken, commented."""
    lines = text.splitlines()
    # Not the first line: of the name alone blanks at the end count.
    at = random.randrange(1, len(lines))
    name, _, value = lines[at].partition(" ")
    lines[at : at + 1] = random.choice(
        (
            [],
            [lines[at], lines[at]],
            [lines[at], "nosuch_field 1"],
            [name],
            [f"{name} \\", f"   {value.strip()}"],
            [f"# {lines[at]}"],
            [f"{name}={value.strip()}"],
            [f"   {lines[at]}   "],
            [f"{name}\t{value.strip()}", ""],
        )
    )
    # Without a line end a comment is none, a field without value is said to be in another line, and blanks belong to
    # the value, which we do not mind.
    last = lines[-1]
    whole = " " in last.strip() and not last.startswith("#") and last == last.rstrip()
    return "\n".join(lines) + (random.choice(("\n", "")) if whole else "\n")
