"""Errors of one complex entry, in the order of the qmaster. Source: complex.md#columns and complex.md#one-entry."""

from collections.abc import Iterator, Mapping

from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import DIALECTS, ComplexEntry, ConfigObject, Finding, Kind, allowed_types, complex_entry
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.complexes import RELOPS, TYPES
from qmon_tui.values import is_none, is_number, parse_number

_book = RuleBook(Kind.COMPLEX, "complex.md#one-entry")

WORD = _book.error(
    "word", "Every column is one word that does not start with #.", "complex(5), formats.md#complex-table"
)
SHORTCUT_MISSING = _book.error("shortcut.missing", "Every attribute has a shortcut.", "#how-a-file-is-applied")
URGENCY_MISSING = _book.error("urgency.missing", "Every attribute has an urgency.", "#how-a-file-is-applied")
TYPE = _book.error("type", "The type is one of the nine types.", "#columns")
RELOP_WORD = _book.error("relop.word", "The operator is == != < > <= >= or EXCL.", "#columns")
REQUESTABLE_WORD = _book.error("requestable.word", "Requestable is YES, NO or FORCED.", "#columns")
CONSUMABLE_WORD = _book.error("consumable.word", "Consumable is YES, NO or JOB.", "#columns")
EXCL_TYPE = _book.error("relop.excl", "Only a BOOL can use the operator EXCL.")
RELOP = _book.error("relop", "Text can be compared with == and != only, a BOOL with == or EXCL only.")
TEXT_CONSUMABLE = _book.error("consumable.text", "Text cannot be consumable.")
BOOL_RELOP = _book.error("consumable.bool", "A consumable BOOL has the operator EXCL.")
EXCL_CONSUMABLE = _book.error("relop.excl.consumable", "EXCL is for consumables.")
TMPDIR = _book.error("requestable.tmpdir", "The attribute tmpdir cannot be requested.")
CONSUMABLE_RELOP = _book.error("consumable.relop", "A consumable has the operator <= (EXCL for a BOOL).")
DEFAULT_NUMBER = _book.error("default.number", "The default of a numeric or BOOL attribute is a number.")
DEFAULT_NEEDED = _book.error("default.needed", "A consumable that cannot be requested has a default other than zero.")
DEFAULT_FORCED = _book.error("default.forced", "A consumable that must be requested has the default zero.")
DEFAULT_UNUSED = _book.error("default.unused", "An attribute that is not consumable has the default 0, text NONE.")
URGENCY = _book.error("urgency", "The urgency is a number.")
BUILT_IN_TYPE = _book.error(
    "type.builtin",
    "A built-in attribute keeps its type; STRING, CSTRING and RESTRING can be exchanged.",
    "#types-of-built-in-attributes",
)

_CHOICES = {
    "type": (TYPES, TYPE),
    "relop": ((*RELOPS, "??"), RELOP_WORD),
    "requestable": (("YES", "NO", "FORCED"), REQUESTABLE_WORD),
    "consumable": (("YES", "NO", "JOB"), CONSUMABLE_WORD),
}
_NO_TABLES = (".yaml", ".yml")
_TYPE_WORDS = {"INT": "integer", "DOUBLE": "double", "TIME": "time", "MEMORY": "memory", "BOOL": "boolean"}


def type_word(type_name: str) -> str:
    """Return the qmaster's word for a value of a type, such as `integer value`."""
    return f"{_TYPE_WORDS.get(type_name, type_name.lower())} value"


def urgency_errors(obj: ConfigObject) -> Iterator[Finding]:
    """Yield the error of the urgency; the qmaster checks it first, even before duplicate names."""
    if not is_number(obj.text("urgency")):
        message = f'The following error occurred for complex "{obj.name}", while parsing the urgency value: '
        yield URGENCY.finding(obj, "urgency", message + '"double value"', "Give a number such as 0 or 1000.")


def column_errors(obj: ConfigObject) -> Iterator[Finding]:
    """Yield errors of combinations of columns in an entry that can be read."""
    entry = complex_entry(obj)
    yield from _relop(obj, entry)
    if entry.name == "tmpdir" and entry.requestable != "NO":
        message = 'Complex attribute "tmpdir" is not requestable'
        yield TMPDIR.finding(obj, "requestable", message, "Set requestable to NO.")
    if entry.is_consumable and entry.relop not in ("<=", "EXCL"):
        message = f'Consumable "{entry.name}" can have only <= as an relational operator'
        yield CONSUMABLE_RELOP.finding(obj, "relop", message, _consumable_hint(entry))
    yield from _default(obj, entry)
    types = allowed_types(entry.name)
    if types is not None and entry.type not in types:
        message = f'The type of the complex "{entry.name}" cannot be changed due to its built in status'
        yield BUILT_IN_TYPE.finding(obj, "type", message, f"It can be {' or '.join(types)}.")


def _consumable_hint(entry: ComplexEntry) -> str:
    """Return the hint for the operator of a consumable: the same as for its type."""
    if entry.is_text:
        return "Set consumable to NO."
    return "Set relop to EXCL, or consumable to NO." if entry.type == "BOOL" else "Set relop to <=."


def unreadable(obj: ConfigObject, words: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Yield errors that prevent reading the entry; in a table only a wrong type has its own message.

    `words` maps columns to the additional words of the cluster's dialect.
    """
    if not obj.text("shortcut"):
        message = f'Complex attribute "{obj.name}" has no shortcut defined'
        yield SHORTCUT_MISSING.finding(obj, "shortcut", message, "Where there is no shorter word, repeat the name.")
    if not obj.text("urgency") or not obj.text("default"):
        field = "default" if not obj.text("default") else "urgency"
        yield URGENCY_MISSING.finding(obj, field, "Complex urgency definition is missing", f"The {field} is empty.")
    for field in ("name", "shortcut", "default", "urgency"):
        text = obj.name if field == "name" else obj.text(field)
        if text.startswith("#") or len(text.split()) > 1 or text != text.strip() or (field == "name" and not text):
            message = f'the {field} "{text}" is not one word: it may neither contain a blank nor start with #'
            yield WORD.finding(obj, field, message)
    entry = complex_entry(obj)
    for field, (choices, rule) in _CHOICES.items():
        if getattr(entry, field) not in (*choices, *words.get(field, ())):
            text, usual = obj.text(field), " ".join(spec(Kind.COMPLEX).by_name[field].choices)
            message = _unknown_word(obj, field, text)
            what = "" if f'"{text}"' in message else f'"{text}" is not a value of {field}. '
            yield rule.finding(obj, field, message, f"{what}Use one of {usual}.{_elsewhere(field, entry)}")


def _elsewhere(field: str, entry: ComplexEntry) -> str:
    """Return a hint that names the dialects which know the word."""
    known = [dialect for dialect in DIALECTS.values() if getattr(entry, field) in dialect.words.get(field, ())]
    return "".join(
        f" It is a word of {dialect.title}: for such a cluster write dialect: {dialect.name}." for dialect in known
    )


def _unknown_word(obj: ConfigObject, field: str, text: str) -> str:
    """Return qconf's message for an unknown word; in a table it names only an unknown type."""
    if field == "type":
        return f'error: unknown complex attribute type "{text}"'
    if obj.origin is None or obj.origin.file.endswith(_NO_TABLES):
        return f'"{text}" is not a value of {field}'
    return f'error: each value in the attribute value list in line {obj.origin.line} should end with "<NEWLINE>"'


def _relop(obj: ConfigObject, entry: ComplexEntry) -> Iterator[Finding]:
    name, relop = entry.name, entry.relop
    if entry.is_numeric and relop == "EXCL":
        message = f'Complex "{name}" must be BOOL to use EXCL as relational operator'
        yield EXCL_TYPE.finding(obj, "relop", message, "Choose another operator, <= for a consumable.")
    if entry.is_text and relop not in ("==", "!="):
        message = f'Complex "{name}" has an invalid relational operator'
        yield RELOP.finding(obj, "relop", message, f"A {entry.type} can be compared with == or != only.")
    if entry.is_text and entry.is_consumable:
        message = f'Complex "{name}" of type "{entry.type}" cannot be a consumable'
        yield TEXT_CONSUMABLE.finding(obj, "consumable", message, "Set consumable to NO.")
    if entry.type != "BOOL":
        return
    if relop not in ("==", "EXCL"):
        message = f'Complex "{name}" has an invalid relational operator'
        yield RELOP.finding(obj, "relop", message, "Use == for a BOOL, or EXCL where it is consumable.")
    if entry.is_consumable and relop != "EXCL":
        message = f'Exclusive complex "{name}" must have EXCL as relational operator'
        yield BOOL_RELOP.finding(obj, "relop", message, "Set relop to EXCL, or consumable to NO.")
    if relop == "EXCL" and not entry.is_consumable:
        message = f'Exclusive complex "{name}" must be a consumable'
        yield EXCL_CONSUMABLE.finding(obj, "consumable", message, "Set consumable to YES, or relop to ==.")


def _default(obj: ConfigObject, entry: ComplexEntry) -> Iterator[Finding]:
    """Yield errors of the default; the qmaster does not check that of a requestable consumable."""
    name, text = entry.name, entry.default
    if entry.is_text:
        # A consumable text is refused already; further messages of the qmaster about it are not predictable.
        if not entry.is_consumable and not is_none(text):
            yield DEFAULT_UNUSED.finding(obj, "default", _unused(name), "Set default to NONE.")
        return
    if entry.is_consumable and entry.requestable == "YES":
        return
    if not is_number(text):
        message = f'Complex "{name}"\'s default value should be of type "{type_word(entry.type)}"'
        yield DEFAULT_NUMBER.finding(obj, "default", message, "Write 0 for nothing.")
        return
    zero = parse_number(text) == 0
    if not entry.is_consumable:
        if not zero:
            hint = "Only a consumable has a default: set default to 0, or consumable to YES or JOB."
            yield DEFAULT_UNUSED.finding(obj, "default", _unused(name), hint)
    elif entry.requestable == "NO" and zero:
        message = f'Consumable "{name}" needs a default value because it is not requestable.'
        yield DEFAULT_NEEDED.finding(obj, "default", message, "Say how much every job uses up.")
    elif entry.requestable == "FORCED" and not zero:
        message = f'Consumable "{name}" cannot have a (non-zero) default value because it is forced.'
        yield DEFAULT_FORCED.finding(obj, "default", message, "Set default to 0: every job has to say its amount.")


def _unused(name: str) -> str:
    return f'Complex "{name}" cannot have a (non-zero) default value'
