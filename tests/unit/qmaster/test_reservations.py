"""Advance reservations are granted where the real qrsub granted them, and given back."""

from dataclasses import replace

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.qrsub import parse_qrsub
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.commands import give_back, reserve
from qmon_tui.workspace.commands import edit_of_command
from tests.unit.scheduler.building import cluster, configuration, queue, userset

TEXT = """\
now: 2026-11-21T19:00:00
pes: {mpi: {slots: 99, allocation_rule: $round_robin}}
usersets: {ul: {type: ACL, entries: usera}}
queues:
  all.q: {hostlist: "sim1 sim2", slots: 2, load_thresholds: NONE, pe_list: mpi}
jobs:
- {id: 7, owner: usera, submitted: 2026-11-21T18:00:00, qsub: -ar 1 sleep 999,
   tasks: {1: {state: r, granted: {all.q@sim1: 1}, started: 2026-11-21T18:59:00}}}
- {id: 8, owner: usera, submitted: 2026-11-21T18:00:00, qsub: -ar 1 sleep 999}
reservations:
- {id: 1, owner: root, start: 2026-11-21T18:50:00, end: 2026-11-21T20:00:00, granted: {all.q@sim1: 2}, state: r}
"""
CONTENTS = read_texts(Layout.YAML, "ar", {"all.yaml": TEXT})
assert not CONTENTS.findings


def asked(options: str, owner: str = "root") -> tuple[str, ...]:
    return reserve(CONTENTS.cluster, CONTENTS.state, owner, options).messages


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-d 0", 'missing value for "end time or duration" in advance reservation request'),
        ("-a 202611211800 -d 50", "start time is in the past"),
        ("-a 202611212000 -e 202611211930", "start time is later than end time"),
        (
            "-a 202611212000 -e 202611212100 -d 5",
            "difference between end and start time does not correspond to duration",
        ),
        ("-d 600 -pe nope 3", 'job rejected: the requested parallel environment "nope" does not exist'),
        ("-d 600 -l nope=3", 'unknown resource "nope"'),
        ("-d 600 -q nope", 'Job was rejected because job requests unknown queue "nope"'),
        ("-d 600 -P x", 'error: invalid option argument "-P"'),
        ("-d 600 -hard", 'error: invalid option argument "-hard"'),
        ("-d 600 -hard -soft", 'error: invalid option argument "-hard"'),
        ("-d 600 -hard -foo", 'qrsub: invalid option argument "-foo"'),
        ("-d 600 -w x -he true -hard", 'qrsub: invalid option argument "-w x"'),
        ("-d 600 -hard -N a/b", "qrsub: argument to -N option must not contain /"),
        ("-hard", 'error: invalid option argument "-hard"'),
        ("-d 600 -hard -e 202001010000", 'error: invalid option argument "-hard"'),
        ("-d 600 -foo", 'qrsub: invalid option argument "-foo"'),
        ("-d 600 -w x", 'qrsub: invalid option argument "-w x"'),
        ("-d 600 -w p", 'qrsub: invalid option argument "-w p"'),
        ("-d 600 -w x -w v", 'qrsub: invalid option argument "-w x"'),
        ("-d 600 -w w -w v", 'qrsub: invalid option argument "-w w"'),
        ("-d 600 -w", "qrsub: -w option must have argument"),
        ("-d 600 -he true", 'qrsub: invalid option argument "-he true"'),
        ("-d 600 -now ye", 'qrsub: invalid option argument "-now ye"'),
        ("-d 600 -now", "qrsub: -now option must have argument"),
        ("-d 600 foo bar", "error: invalid option argument"),
        ("-d 600 -l h_rt=x", 'attribute "h_rt" is not a time value'),
        ("-d 600 -ckpt x", 'job rejected: the requested checkpointing environment "x" does not exist'),
        ("-d 600 -pe mpi 30", "advance_reservation: no suitable queues"),
    ],
)
def test_what_8_1_9_refuses_is_refused_in_its_words(options: str, said: str) -> None:
    assert asked(options) == (said,)


@pytest.mark.parametrize("option", ["-e 202613", "-e soon", "-e 202611211930 -d 1x"])
def test_an_end_or_a_duration_that_cannot_be_read_is_told_as_it_was_typed(option: str) -> None:
    wrong = option.rpartition("-")[2]
    assert asked(f"-a 202611211900 -d 600 {option}")[0].startswith(f"-{wrong}: ")


def test_one_word_behind_the_options_is_taken_as_by_8_1_9() -> None:
    assert asked("-d 600 foo") == asked("-d 600")


def test_only_those_may_reserve_who_may_do_so_in_the_real_system() -> None:
    assert asked("-d 600", "usera") == ('denied: "usera" must be manager or in userset "arusers"',)
    assert asked("-d 600", "root") == ("Your advance reservation 2 has been granted",)


def test_who_is_in_the_user_set_arusers_may_reserve() -> None:
    entries = {"name": "arusers", "type": "ACL", "entries": "usera"}
    on = CONTENTS.cluster.with_objects((config_object(Kind.USERSET, "arusers", entries),))
    assert reserve(on, CONTENTS.state, "usera", "-d 600").messages == ("Your advance reservation 2 has been granted",)
    assert reserve(on, CONTENTS.state, "userb", "-d 600").messages == (
        'denied: "userb" must be manager or in userset "arusers"',
    )


@pytest.mark.parametrize(("most", "there", "is_granted"), [(0, 1, True), (1, 0, True), (1, 1, False), (2, 1, True)])
def test_there_are_so_many_reservations_as_the_configuration_allows(most: int, there: int, is_granted: bool) -> None:
    on = CONTENTS.cluster.with_objects([configuration(max_advance_reservations=most)])
    state = replace(CONTENTS.state, reservations=CONTENTS.state.reservations[:there])
    reply = reserve(on, state, "root", "-d 600")
    refused = f"rejected: only {most} advance reservations are allowed per cluster"
    assert (reply.messages == (refused,)) is not is_granted
    assert len(reply.state.reservations) == there + is_granted


def test_a_reservation_is_what_was_asked_for() -> None:
    options = "-N name -a 202611212030 -d 1:0:0 -pe mpi 3 -u usera,@ul -l h_rt=100 -A acc -he y"
    state = reserve(CONTENTS.cluster, CONTENTS.state, "root", options).state
    reservation = state.reservations[-1]
    assert (
        reservation.id,
        reservation.name,
        reservation.owner,
        reservation.state,
        reservation.end - reservation.start,
    ) == (2, "name", "root", "w", 3600)
    assert (reservation.users, reservation.requests, reservation.account, reservation.strict) == (
        ("usera", "@ul"),
        (("h_rt", "100"),),
        "acc",
        True,
    )
    assert (sum(reservation.granted.values()), reservation.environment) == (3, "mpi")
    assert asked(options.replace("2030", "1930"))[-1] == "advance_reservation: no suitable queues", "sim1 is taken then"
    parsed = parse_qrsub("-e 202611212000", now=state.now)
    assert (parsed.start, parsed.duration, parsed.problems) == (state.now, 3600, ())
    for end, problems in (("2001", ()), ("2000", ("start time is later than end time",))):
        assert parse_qrsub(f"-a 202611212000 -e 20261121{end}", now=state.now).problems == problems


def test_deleting_one_deletes_its_jobs_and_waits_for_those_that_run() -> None:
    reply = give_back(CONTENTS.cluster, CONTENTS.state, 1)
    assert reply.messages[-1] == "root has registered the advance_reservation 1 for deletion"
    assert [reservation.state for reservation in reply.state.reservations] == ["d"]
    assert [(job.id, job.tasks[1].state) for job in reply.state.jobs] == [(7, "dr")]
    forced = give_back(CONTENTS.cluster, CONTENTS.state, 1, force=True)
    assert forced.messages[-1] == "root has deleted advance_reservation 1"
    assert forced.state.reservations == ()
    assert [(job.id, job.tasks[1].state) for job in forced.state.jobs] == [(7, "z")]
    assert give_back(CONTENTS.cluster, CONTENTS.state, 77).messages == (
        'denied: advance_reservation "77" does not exist',
    )


@pytest.mark.parametrize(
    ("commands", "states"),
    [
        (["-d all.q@sim1"], "EWr"),
        (["-d all.q@sim1", "-sq all.q@sim1", "-e all.q@sim1"], "EWr"),
        (["-d all.q@sim1", "-sq all.q@sim1", "-e all.q@sim1", "-usq all.q@sim1"], "rwr"),
        (["-sq all.q@sim1"], "EWr"),
        (["-d all.q"], "EWE"),
        (["-d all.q", "-e all.q@sim1"], "rWE"),
        (["-d all.q", "-e all.q@sim1", "-e all.q@sim2"], "rwr"),
    ],
)
def test_reservations_are_in_error_while_one_of_their_instances_is_stopped(commands: list[str], states: str) -> None:
    """As the real qmaster has answered to these commands."""
    state = replace(CONTENTS.state, jobs=(), reservations=())
    for options in ("-d 6000 -q all.q@sim1", "-a 202611212030 -d 6000 -pe mpi 3", "-d 3000 -q all.q@sim2"):
        state = reserve(CONTENTS.cluster, state, "root", options).state
    for command in commands:
        order = edit_of_command(CONTENTS.cluster, f"qmod {command}")
        assert order is not None
        state = order.command.apply(CONTENTS.cluster, state).state
    assert "".join(reservation.state for reservation in state.reservations) == states


def test_what_is_granted_where_a_queue_instance_is_disabled_is_in_error() -> None:
    state = replace(CONTENTS.state, jobs=(), reservations=(), queue_states={"all.q@sim1": "d"})
    state = reserve(CONTENTS.cluster, state, "root", "-d 600 -q all.q@sim1").state
    assert [reservation.state for reservation in state.reservations] == ["E"]


@pytest.mark.parametrize(
    ("users", "said"),
    [
        ("usera", "advance_reservation: no suitable queues"),
        ("!usera", "Your advance reservation 2 has been granted"),
        ("userb", "advance_reservation: no suitable queues"),
        ("@gone", 'Userset "gone" does not exist'),
    ],
)
def test_a_queue_with_an_access_list_is_taken_where_nobody_is_named(users: str, said: str) -> None:
    """As tried on 8.1.9; who is shut out of the reservation counts as not named."""
    on = cluster(queue("a.q", "n1", xuser_lists="out"), userset("out", "usera"))
    there = replace(CONTENTS.state, reservations=CONTENTS.state.reservations[:1])
    assert reserve(on, there, "root", f"-d 600 -u {users}").messages == (said,)
