"""The form that alters a job: its values and the options of qalter say the same, as the real qalter takes them."""

import shlex

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qalter_difference import holds_after, qalter_options
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import Target, alter
from qmon_tui.qmaster.commands.holds import hold
from qmon_tui.report.jobtable.job_drafts import AlteredJob, altered_job
from qmon_tui.report.jobtable.job_form import (
    FLAG_ON,
    choice_lines,
    completed,
    field_named,
    form_fields,
    value_of,
    verdict_lines,
)
from qmon_tui.report.spans import plain
from qmon_tui.values.times import parse_time
from qmon_tui.workspace import try_altered
from tests.differential.command_sessions import CLUSTER
from tests.differential.commanding import recorded

BEFORE = (
    "-N n -P sea -q all.q -l gpu=1,num_proc=1 -soft -q all.q -l arch=lx -hard -masterq all.q -pe mpi 2-4 -p -5 -A acct "
    "-ckpt ck -js 3 -ot 5 -R y -r y -hold_jid 1 -tc 2 -a 202701010101 -j y -m bea -cwd -ac a=1,b=2 -w w sleep 999"
)
JOBS = f"""
now: 2026-01-01T09:00:00
jobs:
- {{id: 1, owner: anna, submitted: 2026-01-01T08:00:00, qsub: -h sleep 60}}
- {{id: 2, owner: anna, submitted: 2026-01-01T08:00:00, qsub: "{BEFORE}"}}
- {{id: 3, owner: ben, submitted: 2026-01-01T08:10:00, qsub: -q re.q -l gpu=9 sleep 60}}
"""
CONTENTS = read_texts(Layout.YAML, "form", {"all.yaml": CLUSTER + JOBS})
FIELDS = form_fields(CONTENTS.cluster, altering=True)
TAKEN = {line["line"].removeprefix("root# qalter ")[:-2]: line["said"] for line in recorded()["options taken away"]}


def with_value(key: str, text: str, before: str = BEFORE) -> tuple[AlteredJob, str | None]:
    return AlteredJob(before).with_value(key, text)


def test_a_job_is_shown_as_it_is_and_nothing_is_changed() -> None:
    draft = AlteredJob(BEFORE)
    assert (draft.line.replace(" -masterq", " -hard -masterq"), draft.typed) == (BEFORE, "")
    assert not any(draft.is_changed(field.key) for field in FIELDS)
    assert value_of(draft.line, "-soft -q") == "all.q"
    assert value_of(draft.line, "-cwd") == FLAG_ON
    assert value_of(draft.line, "-ac") == "a=1,b=2"
    assert value_of(draft.line, "-ot") == "5"


@pytest.mark.parametrize(
    ("key", "option"),
    [("-P", "-P ''"), ("-q", "-q '*'"), ("-masterq", "-masterq '*'"), ("-A", "-A sge"), ("-ckpt", "-ckpt ''"),
     ("-js", "-js 0"), ("-R", "-R n"), ("-hold_jid", "-hold_jid 0"), ("-tc", "-tc 0"), ("-p", "-p 0"), ("-ot", "-ot 0"),
     ("-a", "-a 197001010000"), ("-m", "-m n"), ("-soft -q", "-soft -q '*'"), ("-soft -l arch", "-soft -l ''")],
)  # fmt: skip
def test_what_is_taken_away_is_taken_by_an_option_that_the_real_qalter_takes(key: str, option: str) -> None:
    draft, _ = with_value(key.replace("-soft -l", "-l"), "")
    assert draft.typed == option
    said = TAKEN[option]
    assert any("modified" in line or "sets" in line for line in said), said


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ("-pe", "qalter cannot remove -pe: give a new value."),
        ("-r", "qalter cannot remove -r: give a new value."),
        ("-q", "qalter cannot remove -q: * comes closest."),
        ("-t", "qalter cannot change -t of a job."),
        ("command", "qalter cannot change the command of a job."),
    ],
)
def test_what_qalter_cannot_do_is_said(key: str, complaint: str) -> None:
    assert with_value(key, "")[1] == complaint


@pytest.mark.parametrize(
    ("key", "text", "options"),
    [("-N", "other", "-N other"), ("-l gpu", "2", "-l gpu=2,num_proc=1"), ("-l gpu", "", "-l num_proc=1"),
     ("-pe", "mpi 4", "-pe mpi 4"), ("-wd", "/tmp", "-wd /tmp"), ("-soft -q", "re.q", "-soft -q re.q"),
     ("-ac", "b=2", "-sc b=2"), ("-ac", "", "-dc a,b"), ("-h", "uo", "-h uo"), ("-N", "a b", "-N 'a b'")],
)  # fmt: skip
def test_a_value_becomes_an_option_and_the_form_shows_it(key: str, text: str, options: str) -> None:
    draft, complaint = with_value(key, text)
    assert (draft.typed, complaint) == (options, None)
    assert value_of(draft.line, key) == text
    assert draft.with_typed(options).is_changed(key)
    if text:
        assert draft.with_value(key, value_of(BEFORE, key))[0].typed in ("", "-h n")


def test_a_date_without_a_year_means_the_year_of_the_one_who_gives_it() -> None:
    text = """
now: 2027-01-02T09:00:00
jobs:
- {id: 1, owner: anna, submitted: 2026-12-01T08:00:00, qsub: -a 12240900 sleep 60}
"""
    state = read_texts(Layout.YAML, "years", {"all.yaml": text}).state
    (job,) = state.jobs
    draft = altered_job(job, "", state.now)
    assert value_of(draft.line, "-a") == "202612240900.00"
    assert value_of(draft.with_typed("-a 01030900").line, "-a") == "202701030900.00"
    (after,) = alter(CONTENTS.cluster, state, 1, "-a 01030900").state.jobs
    assert after.request.start_time == parse_time("2027-01-03T09:00:00")


def test_every_option_of_the_form_is_one_that_qalter_knows() -> None:
    for field in FIELDS:
        draft, _ = with_value(field.key, "1" if field.key != "-pe" else "mpi 1", "sleep 5")
        if not draft.is_fixed(field.key):
            reply = alter(CONTENTS.cluster, CONTENTS.state, 2, draft.typed)
            options = (word for word in draft.typed.split() if word.startswith("-"))
            unknown = {f'qalter: invalid option argument "{option}"' for option in options}
            assert not any(line.startswith("Unknown") or line in unknown for line in reply.messages), field.key


def test_holds_are_those_that_the_tasks_have_now() -> None:
    state = hold(CONTENTS.cluster, CONTENTS.state, Target(3, (1,)), "o").state
    job = next(job for job in state.jobs if job.id == 3)
    draft = altered_job(job, job.own_holds(1))
    assert value_of(draft.line, "-h") == "o"
    released, _ = draft.with_value("-h", "")
    assert released.typed == "-h O"
    state = alter(CONTENTS.cluster, state, 3, released.typed).state
    assert next(job for job in state.jobs if job.id == 3).own_holds(1) == ""


@pytest.mark.parametrize(
    ("before", "letters", "after"), [("", "u", "u"), ("u", "o", "uo"), ("uo", "U", "o"), ("uos", "n", "")]
)
def test_small_letters_set_and_capitals_take_away(before: str, letters: str, after: str) -> None:
    assert holds_after(before, letters) == after


def test_the_options_lead_from_any_line_to_any_other() -> None:
    lines = [
        "sleep 9",
        "-N n sleep 9",
        "-q all.q -p 3 sleep 9",
        "-l a=1 -soft -l b sleep 9",
        "-P sea -hold_jid 7 sleep 9",
    ]
    for before in lines:
        for after in lines:
            between = qalter_options(before, after)
            draft = AlteredJob(before, between.options)
            for field in FIELDS:
                if field.key not in between.lasting and field.key != "-q":
                    assert value_of(draft.line, field.key) == value_of(after, field.key), (before, after)


@pytest.mark.parametrize(
    ("before", "after", "options", "lasting"),
    [
        ("sleep 9", "sleep 8", "", ("command",)),
        ("-b y -t 1-3 sleep 9", "-t 1-4 sleep 9", "", ("-b", "-t")),
        ("-h u sleep 9", "sleep 9", "-h U", ()),
        ("-h uo sleep 9", "-h us sleep 9", "-h s", ()),
        ("sleep 9", "-h sleep 9", "-h u", ()),
        ("-ac a=1,b=2 sleep 9", "sleep 9", "-dc a,b", ()),
        ("-ac a=1,b=2 sleep 9", "-ac b=3 sleep 9", "-sc b=3", ()),
        ("-soft -l a=1 sleep 9", "-soft -l a=2 sleep 9", "-soft -l a=2", ()),
        ("-soft -l a=1 -hard -p 1 sleep 9", "-soft -l a=2 -hard -p 2 sleep 9", "-soft -l a=2 -hard -p 2", ()),
        ("-M bea sleep 9", "sleep 9", "", ("-M",)),
        ("-cwd sleep 9", "-wd /tmp sleep 9", "-wd /tmp", ()),
        ("-cwd sleep 9", "sleep 9", "", ("-cwd",)),
        ("-l a=1  -p 3 sleep 9", "-p 3 -l a=1 sleep 9", "", ()),
    ],
)
def test_the_options_that_lead_from_one_line_to_another(
    before: str, after: str, options: str, lasting: tuple[str, ...]
) -> None:
    between = qalter_options(before, after)
    assert (between.options, between.lasting) == (options, lasting)


def test_a_trial_says_what_the_change_does_and_whom_it_is_in_the_way_of() -> None:
    def state(queue: str) -> State:
        text = (
            CLUSTER
            + f"""
now: 2026-01-01T09:00:00
jobs:
- {{id: 1, owner: anna, submitted: 2026-01-01T08:00:00, qsub: -q nowhere -pe mpi 8 sleep 60}}
- {{id: 2, owner: ben, submitted: 2026-01-01T08:10:00, qsub: -q {queue} -pe mpi 6 sleep 60}}
"""
        )
        return read_texts(Layout.YAML, "form", {"all.yaml": text}).state

    trial = try_altered(CONTENTS.cluster, state("all.q"), 1, "-q all.q")
    assert trial.printed == ("modified hard queue list of job 1",)
    assert (len(trial.starts), trial.others) == (1, (2,))
    trial = try_altered(CONTENTS.cluster, state("all.q"), 2, "-q nope")
    assert trial.refused is not None or trial.waiting == 1


@pytest.mark.parametrize(
    ("text", "key"), [("pe", "-pe"), ("-N", "-N"), ("gpu", "-l gpu"), ("master", "-masterq"), ("mail t", "-M")]
)
def test_a_field_is_found_by_its_option_or_its_words(text: str, key: str) -> None:
    field = field_named(FIELDS, text)
    assert field is not None
    assert field.key == key


def test_quoted_words_stay_quoted() -> None:
    draft, _ = with_value("-v", "A=x y")
    assert shlex.split(draft.typed) == ["-v", "A=x y"]


def test_names_are_completed_as_far_as_they_agree() -> None:
    queue = next(field for field in FIELDS if field.key == "-q")
    assert set(queue.choices) == {"all.q", "re.q"}
    assert completed(queue, "al") == "all.q"
    assert completed(queue, "all.q,r") == "all.q,re.q"
    assert completed(queue, "x") == "x"
    words = "\n".join(plain(line) for line in choice_lines(queue, 60))
    assert "all.q  re.q" in words


@pytest.mark.parametrize(
    ("program", "line", "warned"),
    [
        ("qsub", "-h -N a -h sleep 5", "! -h is given more than once: qsub warns of it, and then holds nothing."),
        ("qalter", "-N a -h u -N b", "! -N is given more than once: qalter warns of it, and the last one counts."),
        ("qalter", "-l gpu=1 -l gpu=2 -p 1 -p 2", None),
        ("qrsub", "-N a -N b", None),
    ],
)
def test_what_stands_twice_on_a_line_is_warned_of(program: str, line: str, warned: str | None) -> None:
    texts = ["".join(span.text for span in row) for row in verdict_lines(program, line, "v", None, 200, begun=True)]
    assert texts[0] == f"{program} would accept it. v tries it in a scheduling run"
    assert [text for text in texts if text.startswith("!")] == ([] if warned is None else [warned])
