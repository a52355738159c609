"""Lines of qconf for one attribute or name, and of qalter for tasks, in a row: what is said, what is left.

python -m tests.differential.attribute_lines records what the real system says.
"""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.formats import Layout, read_printed, read_texts, same_text
from qmon_tui.model import Kind, config_object
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster import Qsub, new_job, read_command
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster

FILE: Final = Path(__file__).parents[1] / "data" / "recorded" / "attribute-lines.json"
CLUSTER: Final = """\
hosts:
  sim1: {complex_values: "lic=10,mem=4G"}
  sim2: {}
  sim3: {}
  sim4: {}
hostgroups:
  "@every": {hostlist: sim1 sim2}
complexes:
  lic: {shortcut: lic, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}
  mem: {shortcut: mem, type: MEMORY, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}
pes:
  mpi: {slots: 99, allocation_rule: $fill_up}
  smp: {slots: 9}
ckpts:
  ck: {}
usersets:
  staff: {type: ACL, entries: anna}
projects: {sea: {}, lake: {}}
users: {anna: {}}
calendars: {night: {week: mon-fri=8-18=off}}
quotas:
  max: {enabled: TRUE, limit: "users {*} to slots=10\\nname big hosts sim1 to slots=4,lic=2"}
  lots: {enabled: TRUE, limit: "users {*} to slots=10\\nname big hosts sim1 to slots=4,lic=2"}
queues:
  all.q: {hostlist: "@every", slots: "4,[sim1=8]", load_thresholds: NONE, pe_list: mpi, user_lists: staff}
  b.q: {hostlist: sim1, slots: 2, load_thresholds: np_load_avg=1.75}
  c.q: {}
  d.q: {}
  e.q: {}
  f.q: {hostlist: sim4, slots: 2}
admin_hosts: localhost
"""
LINES: Final = [
    line
    for line in Path(__file__).with_name("attribute_lines.txt").read_text().splitlines()
    if line[:1] not in ("", "#")
]
_KINDS: Final = {options.attribute: kind for kind, options in QCONF.items() if options.attribute is not None}
_DONE: Final = re.compile(
    r"(?m)^(?:\S+@\S+ (?:modified|added|removed) .*|added \".*|deleted user .*|\S+ added to \S+ host list"
    r"|(?:setting|removing) \n\S+|modified sharetree)$"
)
_ABOUT_FILE: Final = re.compile(r"(?m)^(?:Error during parsing of attribute value .*|error reading file: .*)$")


class Answered(NamedTuple):
    """What was said but for that it was done, and the field afterwards as it is printed."""

    line: str
    said: str
    left: str | None = None


def _about(line: str) -> tuple[Kind, str, str] | None:
    """Kind, name and field of which a line tells."""
    words = shlex.split(line)
    if words[0] != "qconf" or words[1].lstrip("-") not in ("aattr", "mattr", "rattr", "dattr", "purge"):
        return None
    kind, field = _KINDS.get(words[2]), words[3]
    if kind is None or field not in spec(kind).by_name:
        return None
    name = words[-1]
    marks = {Kind.QUEUE: "@", Kind.QUOTA: "/"}
    return kind, name.partition(marks[kind])[0] if kind in marks else name, field


def real_answers(qmaster: Qmaster) -> Iterator[Answered]:
    """The lines asked in a row, on a cluster that is loaded afresh."""
    qmaster.restart()
    load(qmaster, read_texts(Layout.YAML, "lines", {"cluster.yaml": CLUSTER}).cluster)
    for line in LINES:
        program, *words = shlex.split(line)
        words = ["-b", "y", *words] if program == "qsub" else words
        said = _ABOUT_FILE.sub("", _DONE.sub("", qmaster.run(program, *words).text))
        about, left = _about(line), None
        if about is not None:
            kind, name, field = about
            printed = read_printed(qmaster.run("qconf", QCONF[kind].show, name).out, "printed")
            if printed is not None and printed.objects:
                left = printed.objects[0].text(field)
        yield Answered(line, " ".join(said.split()), left)


def our_answers() -> Iterator[Answered]:
    """The same, said by us; a line that is not read says so."""
    contents = read_texts(Layout.YAML, "lines", {"cluster.yaml": CLUSTER})
    cluster, state = contents.cluster, contents.state
    for line in LINES:
        is_new = line.startswith("qsub ")
        command = Qsub(new_job(state, "root", line[5:])) if is_new else read_command(cluster, line, "root")
        if command is None:
            yield Answered(line, "not read")
            continue
        reply = command.apply(cluster, state)
        cluster, state = reply.cluster or cluster, reply.state
        about, left = _about(line), None
        if about is not None and (obj := cluster.get(about[0], about[1])) is not None:
            left = obj.text(about[2])
        yield Answered(line, " ".join(" ".join(reply.messages).split()), left)


def differences(real: Iterator[Answered] | list[Answered]) -> list[str]:
    """Where we say or leave anything else."""
    found: list[str] = []
    for theirs, ours in zip(real, our_answers(), strict=True):
        if theirs.said != ours.said:
            found.append(f"{theirs.line}: {theirs.said!r}, not {ours.said!r}")
        if about := _about(theirs.line):
            kind, name, field = about
            one, other = (config_object(kind, name, {field: left or ""}) for left in (theirs.left, ours.left))
            if not same_text(one, other, field):
                found.append(f"{theirs.line}: leaves {theirs.left!r}, not {ours.left!r}")
    return found


def recorded() -> list[Answered]:
    """What the real system was recorded to say."""
    return [Answered(*entry) for entry in json.loads(FILE.read_text())]


if __name__ == "__main__":
    with Qmaster() as real_one:
        answers = list(real_answers(real_one))
    FILE.write_text("[\n" + ",\n".join(json.dumps(answer) for answer in answers) + "\n]\n")
