"""Drawn sessions of commands, as `command_sessions` has written ones: with every option, on jobs in every state."""

from collections.abc import Mapping
from random import Random
from typing import Final

LINES: Final = 34
USERS: Final = ("usera", "userb")
QUEUES: Final = ("all.q", "re.q", "all.q@sim1", "*@sim1", "re.q@sim1")
_FEW: Final = 3
"""So many jobs are there before anything is done to them."""
_OPTIONS: Final = (
    *("-p -5", "-js 4", "-P sea", "-N one", "-N two", "-R y", "-r y", "-r n", "-a 203501010000", "-a 202001010000"),
    *(
        "-l gpu=1",
        "-l lic=1",
        "-l lic=2,gpu=1",
        "-l mem=2M",
        "-l job=1",
        "-l h_rt=600",
        "-soft -l gpu=1",
        "-q all.q",
        "-q 're.q'",
        "-soft -q re.q",
        "-pe mpi 2",
    ),
    *("-pe mpi 1-3", "-ckpt ck", "-A acct", "-m e", "-hold_jid 1", "-hold_jid one", "-hold_jid 2,3", "-tc 2"),
    *("-masterq all.q", "-hold_jid_ad 1", "-c 5", "-binding linear:1", "-ac a=b", "-notify", "-dl 203501010000"),
)
_OF_QSUB: Final = ("-h", "-p -7", *("-t 1-3", "-t 2-6:2", "-t 1-3") * 3)
_OF_QALTER: Final = (
    *("-h u", "-h o", "-h uo", "-h n", "-h U", "-h O", "-p 3", "-p 0", "-ot 5", "-P ''", "-l ''", "-soft -l ''"),
    *("-hold_jid 0", "-hold_jid ''", "-tc 0", "-ckpt none", "-R n", "-js 0", "-q '*'"),
)


def drawn_session(number: int) -> str:
    """The lines of a session; the same number always draws the same."""
    random = Random(f"commands {number}")
    lines: list[str] = []
    arrays: list[bool] = []
    for _ in range(LINES):
        if not arrays or random.random() < 0.22:
            options = _drawn(random, (*_OPTIONS, *_OF_QSUB), (0, 1, 1, 2))
            arrays.append("-t " in options)
            lines.append(f"{random.choice(USERS)}$ qsub {options} sleep 999".replace("  ", " "))
        else:
            lines.append(_command(random, arrays))
    return "\n".join(lines)


def _drawn(random: Random, options: tuple[str, ...], counts: tuple[int, ...]) -> str:
    return " ".join(random.sample(options, random.choice(counts)))


def _command(random: Random, arrays: list[bool]) -> str:
    """A run, or a command to one of the jobs or to queue instances."""
    job = random.randrange(len(arrays)) + 1
    tasks = random.choice(("", "", "", f".{random.randint(1, 4)}")) if arrays[job - 1] else ""
    commands = {
        f"qalter {_drawn(random, (*_OPTIONS, *_OF_QALTER), (1, 1, 2, 2, 3))} {job}": 36,
        f"qhold {random.choice(('', '-h o ', '-h s ', '-h uo '))}{job}{tasks}": 13,
        f"qrls {random.choice(('', '-h o ', '-h s ', '-h uos '))}{job}{tasks}": 13,
        f"qdel {job}{tasks}": 9,
        f"qmod {random.choice(('-sj', '-usj', '-cj', '-rj', '-rj'))} {job}{tasks}": 14,
        f"qmod {random.choice(('-d', '-e', '-sq', '-usq', '-cq'))} {random.choice(QUEUES)}": 8,
        "run": 7,
    }
    (command,) = random.choices([*commands], [*commands.values()])
    return command if command == "run" else f"root# {command}"


def drawn_among_subordinates(number: int) -> str:
    """The lines of a session about queue instances that stand still while others are in use.

    Of a job that was deleted by force the qmaster keeps something, to which it does as it is told: none is chosen.
    """
    random = Random(f"subordinates {number}")
    lines: list[str] = []
    arrays: dict[int, bool] = {}
    jobs = 0
    for _ in range(LINES):
        if len(arrays) < _FEW or random.random() < 0.2:
            array = random.choice(("", "", "-t 1-2 ", "-t 1-3 "))
            jobs += 1
            arrays[jobs] = bool(array)
            rerun = random.choice(("", "-r y "))
            place = random.choice(("low.q@sim1", "low.q@sim1", "low.q", "re.q", "all.q@sim1", "all.q"))
            lines.append(f"{random.choice(USERS)}$ qsub {rerun}{array}-q {place} sleep 999")
        else:
            command = _command_among_subordinates(random, arrays)
            lines.append(command)
            if "qdel" in command:
                del arrays[int(command.split()[-1])]
    return "\n".join(lines)


def _command_among_subordinates(random: Random, arrays: Mapping[int, bool]) -> str:
    job = random.choice([*arrays])
    tasks = random.choice(("", "", f".{random.randint(1, 3)}")) if arrays[job] else ""
    instance = random.choice(("low.q@sim1", "low.q", "re.q@sim1", "all.q@sim1", "*@sim1", "all.q"))
    commands = {
        "run": 8,
        f"qdel -f {job}": 5,
        f"qmod {random.choice(('-sj', '-usj', '-usj'))} {job}{tasks}": 8,
        f"qmod {random.choice(('-rj', '-f -rj'))} {job}{tasks}": 3,
        f"qmod {random.choice(('-sq', '-usq', '-usq', '-d', '-e'))} {instance}": 8,
    }
    (command,) = random.choices([*commands], [*commands.values()])
    return command if command == "run" else f"root# {command}"
