"""The keys that a user gives to actions: what is understood, what is refused and told."""

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from qmon_tui.tui.keys.action import key_named, shown_key
from qmon_tui.tui.keys.key_registry import KeyRegistry, clash
from qmon_tui.tui.keys_toml import ALWAYS_BOUND, keys_file, keys_from_toml, read_keys
from qmon_tui.tui.registry import REGISTRY


def keys_of(registry: KeyRegistry, id_: str) -> tuple[str, ...]:
    return next(entry.keys for entry in registry if entry.id == id_)


def test_the_keys_that_come_along_have_one_meaning_each() -> None:
    entries = list(REGISTRY)
    doubled = {
        (one.id, other.id, key)
        for index, one in enumerate(entries)
        for other in entries[index + 1 :]
        for key in set(one.keys) & set(other.keys)
        if clash(one, other)
    }
    # In a form these keys change the field or lead from tab to tab; h holds a job where there are jobs; in a dialog
    # Enter opens what is chosen in its list, and arrows lead from answer to answer. X leaves a lesson or day.
    assert {key for _, _, key in doubled} == {"delete", "left", "right", "up", "down", "h", "l", "enter", "X"}
    assert {(one, other) for one, other, key in doubled if key == "X"} == {
        ("disable", "monitor.leave"), ("disable", "learn.leave"),
    }  # fmt: skip


def test_one_key_several_keys_and_none() -> None:
    choice = keys_from_toml(
        'undo = "Shift+F6"\nredo = ["Z", "Shift+F7"]\nabout = "F11"\nrevert = []\njobs.why = "F9"\n', "keys.toml"
    )
    assert choice.problems == ()
    assert keys_of(choice.registry, "undo") == ("shift+f6",)
    assert keys_of(choice.registry, "redo") == ("Z", "shift+f7")
    assert keys_of(choice.registry, "about") == ("f11",)
    assert keys_of(choice.registry, "revert") == ()
    assert keys_of(choice.registry, "jobs.why") == ("f9",)
    assert keys_of(choice.registry, "save") == keys_of(REGISTRY, "save")


def test_keys_can_be_exchanged_and_moves_be_given_others() -> None:
    choice = keys_from_toml('undo = "U"\nredo = "u"\ndown = ["down", "Z"]\nedit-text = "j"\n', "keys.toml")
    assert choice.problems == ()
    assert keys_of(choice.registry, "down") == ("down", "Z")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('undo = "s"', "keys.toml line 1: s is save already, so undo keeps its keys."),
        ('# mine\n\n undo = "s"', "keys.toml line 3: s is save"),
        ('undo = "j"', "j is down already"),
        ('jobs.why = "u"', "keys.toml line 1: u is undo already"),
        ('[jobs]\nwhy = "u"', "keys.toml line 2: u is undo already"),
        ('undoo = "u"', "keys.toml line 1: there is no action undoo. `qmon-tui keys` lists them."),
        ('undo = "ctrl+"', "there is no key 'ctrl+'."),
        ('undo = "shift"', "there is no key 'shift'."),
        ("undo = 3", "the keys of undo are a text"),
        ('undo = ["u", 3]', "the keys of undo are a text"),
        ("help = []", "help must keep a key"),
        ("up = []", "up must keep a key"),
        ('undo = "ctrl+q"', "^q means the same in every dialog"),
        ('undo = "s', "keys.toml is not TOML"),
    ],
)
def test_what_is_wrong_is_told_and_leaves_the_keys_as_they_were(text: str, said: str) -> None:
    choice = keys_from_toml(text, "keys.toml")
    (problem,) = choice.problems
    assert problem.startswith("keys.toml")
    assert said in problem
    assert problem.endswith(".")
    assert [entry.keys for entry in choice.registry] == [entry.keys for entry in REGISTRY]


def test_of_two_that_want_the_same_key_the_first_has_it() -> None:
    choice = keys_from_toml('undo = "Z"\nredo = "Z"\n', "keys.toml")
    assert keys_of(choice.registry, "undo") == ("Z",)
    assert keys_of(choice.registry, "redo") == keys_of(REGISTRY, "redo")
    assert "line 2: Z is undo already" in choice.problems[0]


@given(st.dictionaries(st.sampled_from([entry.id for entry in REGISTRY]), st.text("abcuszUQ/?^+", max_size=3)))
def test_whatever_is_asked_for_no_key_gets_a_second_meaning(wanted: dict[str, str]) -> None:
    text = "".join(f'"{id_}" = "{key}"\n' for id_, key in wanted.items())
    registry = keys_from_toml(text, "keys.toml").registry
    usually = {entry.id: set(entry.keys) for entry in REGISTRY}
    entries = list(registry)
    for index, one in enumerate(entries):
        assert one.keys or one.id not in ALWAYS_BOUND
        for other in entries[index + 1 :]:
            new = set(one.keys) & set(other.keys) - usually[one.id] & usually[other.id]
            assert not (new - (usually[one.id] & usually[other.id]) and clash(one, other))


def test_every_key_is_named_as_it_is_shown() -> None:
    for entry in REGISTRY:
        for key in entry.keys:
            assert key_named(shown_key(key)) == key
            assert key_named(key) == key


def test_where_the_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert read_keys().registry is REGISTRY
    keys_file().parent.mkdir()
    keys_file().write_text('undo = "Z"\n')
    assert keys_of(read_keys().registry, "undo") == ("Z",)
    keys_file().write_bytes(b'undo = "\xff"\n')
    (problem,) = read_keys().problems
    assert str(keys_file()) in problem
    assert "cannot be read" in problem


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "keys.toml")
    choice = read_keys(tmp_path / "keys.toml")
    assert choice.registry is REGISTRY
    (problem,) = choice.problems
    assert problem.endswith("cannot be read: it is a named pipe, not a file. The default keys are used.")


def test_brackets_without_end_are_a_sentence() -> None:
    choice = keys_from_toml("undo = " + "[" * 100_000, "keys.toml")
    assert choice.registry is REGISTRY
    assert choice.problems[0].startswith("keys.toml is not TOML")


def test_a_key_of_many_letters_is_a_sentence() -> None:
    for text in ("x" * 20_000, "ctrl+" * 4_000, "⇧" * 20_000):
        (problem,) = keys_from_toml(f'undo = "{text}"\n', "keys.toml").problems
        assert "there is no key" in problem
        assert len(problem) < 250
