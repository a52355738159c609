"""libyaml and ruamel see the same nodes at the same places wherever libyaml is trusted at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats.yaml.nodes import (
    Alias,
    Mapping,
    NeedsReferenceParser,
    Node,
    Scalar,
    YamlError,
    composed,
    documents,
    quick_events,
    reference_events,
)
from tests.examples import examples

yaml = pytest.importorskip("yaml")
pytestmark = pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML has no libyaml here")

ROOT = Path(__file__).parents[3]
CORPUS = sorted(file for folder in ("configs", "tests") for file in (ROOT / folder).rglob("*.y*ml") if file.is_file())


def walked(node: Node) -> Iterator[object]:
    """A graph without aliases as flat facts: what stands where, and how it is written."""
    yield type(node), node.start, node.end, node.line, node.column
    if isinstance(node, Scalar):
        yield node.text, node.style
        return
    assert not isinstance(node, Alias)
    parts = [part for pair in node.pairs for part in pair] if isinstance(node, Mapping) else getattr(node, "items", [])
    yield getattr(node, "flow", None), len(parts)
    for part in parts:
        yield from walked(part)


def facts(nodes: tuple[Node, ...]) -> list[object]:
    return [fact for node in nodes for fact in walked(node)]


def quick(text: str) -> list[object] | None:
    """What libyaml sees; None where the text is left to ruamel."""
    try:
        return facts(composed(quick_events(text)))
    except (NeedsReferenceParser, YamlError):
        return None


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.name)
def test_both_see_the_same_in_every_file_here(file: Path) -> None:
    text = file.read_bytes().decode("utf-8", "replace")
    seen = quick(text)
    assert seen is None or seen == facts(composed(reference_events(text)))


def test_what_people_write_is_read_quickly() -> None:
    texts = [file.read_bytes().decode("utf-8", "replace") for file in CORPUS if "broken" not in file.parts]
    assert sum(quick(text) is not None for text in texts) > 0.8 * len(texts)


UNUSUAL = {
    "a tab": "a:\tb",
    "a tab behind a value, which YAML 1.2 forbids here": "a: b\t",
    "a byte order mark": "\ufeffa: b",
    "NEL, a line end in YAML 1.1": "a: b\x85c",
    "LS, likewise": "a: b\u2028c",
    "PS, likewise": "a: b\u2029c",
    "a directive": "%YAML 1.1\n---\na: b",
    "two documents": "---\na: b\n---\nc: d",
    "the end of a document": "a: b\n...\n",
    "a tag": "a: !t b",
    "an anchor": "a: &x b",
    "an alias": "a: [&x b, *x]",
    "no value": "a:\nb: c",
    "no element": "- \n- b",
    "a block": "a: |\n  b\n",
    "a folded block": "a: >\n  b\n",
    "an error": "a: [b",
    "half of a surrogate pair": 'a: "\\ud800"',
    "a surrogate itself": "a: \ud800",
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL)
def test_what_is_unusual_is_left_to_ruamel(text: str) -> None:
    with pytest.raises(NeedsReferenceParser):
        list(quick_events(text))


def test_an_error_is_told_in_words_of_ruamel() -> None:
    with pytest.raises(YamlError) as found:
        documents("a: b: c")
    assert (found.value.message, found.value.line, found.value.column) == ("mapping values are not allowed here", 1, 5)
    assert str(found.value) == found.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a: b\nc:\n- "\\ud800"', "half of a surrogate pair is not a character"),
        ("a: b\nc:\n- *x", 'the alias "*x" has no anchor before it'),
        ("--- &x a\n---\n- *x", 'the alias "*x" has no anchor before it'),
    ],
)
def test_what_the_events_do_not_show_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(YamlError) as found:
        documents(text)
    assert (found.value.message, found.value.line, found.value.column) == (message, 3, 3)


def test_nesting_is_limited_whoever_reads() -> None:
    with pytest.raises(YamlError, match="nested more than"):
        documents("[" * 30 + "]" * 30)


SIGNS = tuple("ab-?:,{}[]#'\"\\~%é😀")
WORDS = ("--", "::", "a:b", "\\n", "\\x41", "null", "@x", "*a", "1,[node01=4]")
BLANKS = ("b: c", "- ", "? ", ": ", ": {", ": [", ", ", " #c", " ", "<<: ", "&a ", "!t ", "\xa0", "\u200b")
BREAKS = ("\n", "\n  ", "\n    ", "\r\n", "\r", "\\\n", "# c\n", "|-\n  x\n", "---\n", "...\n")
pieces = st.sampled_from((*SIGNS, *WORDS, *BLANKS, *BREAKS, "a" * 130, "b" * 900))
written = st.lists(pieces, max_size=14).map("".join)
values = st.one_of(st.text("ab:#-,[]{}'\"\\ é", min_size=1, max_size=12), st.integers().map(str))
lines = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(("", "- ", "k: ", "- k: ", "k: {x: ", "- ['")), values))
indented = lines.map(lambda rows: "\n".join("  " * depth + start + value for depth, start, value in rows))


@examples(400)
@given(text=st.one_of(written, indented))
def test_both_see_the_same_in_anything_that_libyaml_is_trusted_with(text: str) -> None:
    seen = quick(text)
    assert seen is None or seen == facts(composed(reference_events(text)))


@pytest.mark.parametrize("letter", ["a", "é", "😀"])
@pytest.mark.parametrize("size", [1022, 1023, 1024, 1025])
def test_both_end_keys_at_the_same_length(letter: str, size: int) -> None:
    """A key may be 1024 signs long; a longer one is an error, and so told by ruamel."""
    text = f"{letter * size}: b"
    seen = quick(text)
    assert (seen is None) == (size > 1024)
    assert seen is None or seen == facts(composed(reference_events(text)))
