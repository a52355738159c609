"""Commands for many jobs: the same as one after the other, and made beside the screen."""

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster.commands import Target, alter
from qmon_tui.workspace import Document, EditError, document_changes
from qmon_tui.workspace.commands import prepared_edit
from tests.bench.large import Size, large_cluster, large_state
from tests.edits import alter_jobs, hold_jobs

CLUSTER = large_cluster(Size(hosts=4, jobs=12))
STATE = large_state(Size(hosts=4, jobs=12))
ALL = [Target(job.id) for job in STATE.jobs]


@pytest.mark.parametrize("limit", [None, ("max_jobs", "5"), ("max_u_jobs", "1")])
@pytest.mark.parametrize(
    "options",
    [
        "-l mem=2G", "-l nothing=1", "-q a.q", "-q nowhere.q", "-pe mpi 4", "-pe none 2", "-P lab", "-N blast", "-p -5",
        "-hold_jid 3", "-hold_jid_ad 3", "-w e -l mem=2G", "-w v", "-h u -l mem=1G",
    ],
)  # fmt: skip
def test_all_at_once_is_one_after_the_other(options: str, limit: tuple[str, str] | None) -> None:
    cluster = CLUSTER
    if limit is not None:
        configuration = cluster.single(Kind.CONFIGURATION)
        cluster = cluster.with_object(configuration.with_values(dict([limit])))
    state: State = STATE
    said: list[str] = []
    for target in ALL:
        reply = alter(cluster, state, target.job, options)
        state, said = reply.state, [*said, *reply.messages]
    document = Document(cluster, STATE)
    if state is STATE and said:
        with pytest.raises(EditError) as refused:
            alter_jobs(ALL, options).made(document)
        assert str(refused.value) == "\n".join(said)
    else:
        assert alter_jobs(ALL, options).made(document).state == state


def test_an_edit_made_beforehand_holds_for_its_document_only() -> None:
    read = Document(CLUSTER, STATE)
    edit = hold_jobs(ALL, "u")
    made = prepared_edit(edit, read, read)
    assert made.label == edit.label
    assert made.made(read) is made.after
    assert made.after == edit.made(read)
    other = hold_jobs(ALL[:1], "o").made(read)
    assert made.made(other) == edit.made(other) != made.after
    assert len(document_changes(read, made.after)) == len(ALL)
