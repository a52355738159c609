"""What the rows of a form say, and that nothing of it is cut off or wider than the form."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from qmon_tui.checks import check_object
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.defaults import default_complexes
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.report.spans import TextRole, plain, width
from qmon_tui.tui.forms.editors import Editor
from qmon_tui.tui.forms.field_lines import label_width, row_lines, value_column
from qmon_tui.tui.forms.field_view import (
    HELP_LINES,
    FieldView,
    FormState,
    field_view,
    general_findings,
    group_marks,
    help_lines,
    key_lines,
    keys_of,
)
from qmon_tui.tui.forms.scopes import DEFAULT
from qmon_tui.tui.forms.used_by import reference_words, used_by_lines


def state_of(obj: ConfigObject, *others: ConfigObject, scope: str = DEFAULT, saved: bool = True) -> FormState:
    cluster = Cluster().with_objects([*default_complexes(), *others, obj])
    findings = check_object(cluster, obj)
    return FormState(cluster, obj, obj if saved else None, obj, findings, scope)


def queue(**values: str) -> ConfigObject:
    return config_object(Kind.QUEUE, "all.q", {"qname": "all.q", "hostlist": "node01 node02", **values})


def entry(**values: str) -> ConfigObject:
    base = {"name": "gpu", "shortcut": "gpu", "type": "INT", "relop": "<=", "requestable": "YES", "consumable": "YES"}
    return config_object(Kind.COMPLEX, "gpu", {**base, "default": "0", "urgency": "0", **values})


def view_of(state: FormState, field: str) -> FieldView:
    return field_view(state, spec(state.obj.kind).by_name[field])


def drawn(view: FieldView, cells: int = 60, *, focused: bool = False) -> list[str]:
    return [plain(line).rstrip() for line in row_lines(view, cells, 18, focused=focused)]


# What a row says


def test_what_nobody_wrote_is_dim_and_what_was_written_is_not() -> None:
    state = state_of(queue(seq_no="3"))
    assert (view_of(state, "seq_no").given, view_of(state, "priority").given) == (True, False)
    dim = row_lines(view_of(state, "priority"), 60, 18, focused=False)[0]
    assert any(span.text == "0" and span.role is TextRole.DIM for span in dim)


def test_an_edited_field_is_marked() -> None:
    state = replace(state_of(queue(seq_no="3")), saved=queue(seq_no="0"))
    assert view_of(state, "seq_no").edited
    assert drawn(view_of(state, "seq_no"))[0].startswith(" ● seq_no")
    assert not view_of(state, "priority").edited
    assert view_of(state_of(queue(), saved=False), "priority").edited


def test_the_configuration_of_a_host_shows_what_it_takes_from_the_global_one() -> None:
    everywhere = config_object(Kind.CONFIGURATION, "global", {"mailer": "/opt/mailer", "prolog": "/opt/prolog"})
    sim1 = config_object(Kind.CONFIGURATION, "sim1", {"prolog": "none"})
    state = state_of(sim1, everywhere, saved=False)
    shown = {name: view_of(state, name) for name in ("mailer", "prolog", "epilog")}
    assert [(view.value, view.given, view.origin, view.edited) for view in shown.values()] == [
        ("/opt/mailer", False, "global", False), ("none", True, "", True), ("none", False, "default", False),
    ]  # fmt: skip
    dim = row_lines(shown["mailer"], 60, 18, focused=False)[0]
    assert any(span.text == "/opt/mailer" and span.role is TextRole.DIM for span in dim)
    marks = group_marks(state, ("General", "Execution daemon"))
    assert [edited for _, edited in marks.values()] == [False, True]


def test_times_and_memory_are_said_in_words() -> None:
    state = state_of(queue(h_rt="2:05:00", h_vmem="1.5G"))
    assert view_of(state, "h_rt").hint.startswith("2 h 05")
    assert view_of(state, "h_vmem").hint == "1.5 GiB"
    assert "1.5 GiB" in drawn(view_of(state, "h_vmem"))[0]


def test_the_default_of_a_complex_is_of_its_type() -> None:
    assert view_of(state_of(entry(type="MEMORY", default="2G")), "default").hint == "2 GiB"
    assert view_of(state_of(entry(type="TIME", default="1:0:0")), "default").editor is Editor.TIME
    assert view_of(state_of(entry(type="BOOL", relop="EXCL")), "default").editor is Editor.TEXT


def test_hosts_with_values_of_their_own_are_counted_and_their_values_marked() -> None:
    obj = queue(slots="1,[node01=4]")
    assert drawn(view_of(state_of(obj), "slots")) == ["   slots               1  ◆ 1"]
    assert drawn(view_of(state_of(obj, scope="node01"), "slots")) == ["   slots               4  ◆"]
    assert drawn(view_of(state_of(obj, scope="node02"), "slots")) == ["   slots               1  same as for all hosts"]


def test_what_cannot_differ_per_host_is_locked_there() -> None:
    view = view_of(state_of(queue(), scope="node01"), "hostlist")
    assert view.locked == "the same on all hosts"


def test_read_only_locks_everything_and_says_why() -> None:
    state = replace(state_of(queue()), read_only=True)
    assert all("read-only" in field_view(state, field).locked for field in spec(Kind.QUEUE).fields)


def test_only_valid_choices_are_offered_with_the_reason() -> None:
    view = view_of(state_of(entry()), "relop")
    assert (view.options, bool(view.locked), bool(view.limited)) == (("<=",), True, True)
    plain_entry = view_of(state_of(entry(consumable="NO")), "relop")
    assert plain_entry.options is not None
    assert "EXCL" not in plain_entry.options


def test_an_invalid_value_is_not_locked_even_if_only_one_is_valid() -> None:
    view = view_of(state_of(entry(relop=">=")), "relop")
    assert (view.options, view.locked) == (("<=",), "")
    assert view.worst is Severity.ERROR


def test_another_spelling_of_the_only_value_is_locked_too() -> None:
    assert view_of(state_of(entry(consumable="n", default="0K")), "default").locked
    assert view_of(state_of(entry(type="string", relop="==", consumable="n", default="none")), "consumable").locked
    assert not view_of(state_of(entry(consumable="NO", default="5")), "default").locked


def test_what_is_wrong_stands_below_its_field_in_the_words_of_the_qmaster() -> None:
    view = view_of(state_of(queue(slots="99999999")), "slots")
    lines = drawn(view, 100)
    assert "✗ 99999999 is an invalid value" in lines[1]


def test_what_the_qmaster_would_store_is_said_unless_it_refuses_the_value() -> None:
    view = replace(view_of(state_of(queue()), "seq_no"), stored="16")
    assert "will be stored as 16" in drawn(view)[1]
    refused = replace(view, findings=(Finding("r", Severity.ERROR, "queue", "q", "seq_no", "no"),))
    assert not any("stored" in line for line in drawn(refused))


def test_tabs_carry_the_worst_finding_and_the_edit_mark() -> None:
    state = replace(state_of(queue(slots="99999999", calendar="none.such")), saved=queue(prolog="/x"))
    marks = group_marks(state, spec(Kind.QUEUE).groups)
    assert marks["General"] == (Severity.ERROR, True)
    assert marks["Execution"] == (None, True)
    assert marks["Owners"] == (None, False)


def test_findings_without_a_field_stand_above_the_rows() -> None:
    finding = Finding("r", Severity.ERROR, "queue", "all.q", None, "m")
    state = replace(state_of(queue()), findings=(finding,))
    assert general_findings(state) == (finding,)


def test_names_and_decisive_columns_cannot_be_left_out() -> None:
    assert not view_of(state_of(queue()), "qname").resettable
    assert not view_of(state_of(entry()), "type").resettable
    assert view_of(state_of(entry(urgency="5")), "urgency").resettable
    assert view_of(state_of(queue(seq_no="1")), "seq_no").resettable
    assert not view_of(state_of(queue()), "seq_no").resettable


# How it is drawn


@pytest.mark.parametrize("text", ["1,[node01=4]", "[/foo]", "NONE,[@bold=x]", "[bold]x[/bold]"])
def test_brackets_are_shown_as_they_are(text: str) -> None:
    assert text in drawn(view_of(state_of(queue(prolog=f"0,{text}")), "prolog"), 90)[0] or text.startswith(("1,", "N"))
    view = replace(view_of(state_of(queue()), "prolog"), value=text)
    assert text in drawn(view, 90)[0]


def test_a_long_value_is_shortened_but_shown_whole_with_the_focus() -> None:
    value = " ".join(f"host{number:02}" for number in range(20))
    view = replace(view_of(state_of(queue()), "hostlist"), value=value, hint="", findings=())
    (line,) = drawn(view, 60)
    assert line.endswith("…")
    whole = " ".join(part.strip() for part in drawn(view, 60, focused=True)).split("hostlist")[1].split()
    assert whole == value.split()


def test_several_lines_of_text_are_drawn_below_each_other_as_far_as_they_go() -> None:
    view = replace(view_of(state_of(queue()), "prolog"), value="\n".join(f"rule {n}" for n in range(20)))
    lines = drawn(view)
    assert lines[0].split() == ["prolog", "rule", "0"]
    assert lines[1].strip() == "rule 1"
    assert lines[-1].strip() == "and 8 more lines"


texts = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=90)


@given(texts, texts, texts, st.integers(30, 140), st.booleans(), st.booleans())
def test_no_line_is_wider_than_the_form(
    value: str, message: str, hint: str, cells: int, focused: bool, editing: bool
) -> None:
    base = view_of(state_of(queue()), "suspend_thresholds")
    finding = Finding("r", Severity.ERROR, "queue", "q", "prolog", message, hint)
    view = replace(base, value=value, hint=hint[:12], findings=(finding,), origin="@group", overrides=3, stored=value)
    labels = label_width(["suspend_thresholds"], cells)
    for line in row_lines(view, cells, labels, focused=focused, editing=editing):
        assert width(line) <= max(cells, value_column(labels) + 12)


def test_labels_leave_room_for_values_on_narrow_forms() -> None:
    names = ["max_functional_jobs_to_schedule", "halftime"]
    assert label_width(names, 120) == 31
    assert label_width(names, 50) == 20


# Help


def test_the_help_says_what_the_field_is_for_why_it_is_fixed_and_its_keys() -> None:
    state = state_of(entry())
    text = " ".join(plain(line) for line in help_lines(view_of(state, "relop"), 70, editing=False))
    assert "Fixed: a consumable must be <= what is left" in text
    assert "Enter edit" in " ".join(plain(line) for line in help_lines(view_of(state, "urgency"), 70, editing=False))


def test_keys_follow_the_editor() -> None:
    state = state_of(queue(h_rt="1:0:0"))
    assert keys_of(view_of(state, "rerun"), editing=False)[0] == "Space next"
    assert "Space helper" in keys_of(view_of(state, "h_rt"), editing=False)
    assert "⌫ default" in keys_of(view_of(state, "h_rt"), editing=False)
    assert "Esc cancel" in keys_of(view_of(state, "h_rt"), editing=True)


@pytest.mark.parametrize("cells", [38, 58, 78])
def test_every_help_text_of_the_catalogue_fits_with_its_keys(cells: int) -> None:
    for kind in Kind:
        state = state_of(config_object(kind, "x", {}))
        for field in spec(kind).fields:
            lines = help_lines(field_view(state, field), cells, editing=False)
            assert len(lines) <= HELP_LINES
            assert all(width(line) <= cells for line in lines)
            assert cells < 58 or plain(lines[0])[:10] == field.help[:10]


def test_no_key_is_broken_over_two_lines() -> None:
    lines = key_lines(("Enter edit", "Space helper", "v per host"), 26)
    assert [plain(line) for line in lines] == ["Enter edit · Space helper", "v per host"]


# Used by


def test_references_say_where_they_stand_and_how_many_more_there_are() -> None:
    from qmon_tui.model.references import references_to

    queues = [config_object(Kind.QUEUE, f"q{n}", {"complex_values": "gpu=1,[node01=gpu=2]"}) for n in range(30)]
    cluster = Cluster().with_objects([entry(), *queues])
    references = references_to(cluster, Kind.COMPLEX, "gpu")
    assert reference_words(references[0]) == "queue q0 complex_values"
    assert reference_words(references[1]) == "queue q0 complex_values [node01]"
    lines = [plain(line) for line in used_by_lines(references, 80, 10, focused=False)]
    assert len(lines) == 3
    assert "complex_values of queue q0, q0 [node01], q1" in lines[0]
    assert lines[-1].endswith("more")
    assert all(len(line) <= 80 for line in lines)
