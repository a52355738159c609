"""Why jobs and queue instances are in error, as clients print it."""

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state import state_text
from tests.unit.formats.test_record_texts import FORKS, RECORDS, job, notes, read, recorded, states

MARKED = "queue {} marked QERROR as result of job {}'s failure at host localhost"
IN_ERROR = {
    "alarm.q": [4], "dis.q": [4], "nofile.q": [4], "noshell.q": [4, 5], "p1.q": [1, 4], "p100.q": [4], "p101.q": [2, 4],
}  # fmt: skip


@pytest.mark.parametrize("name", ["qstat.explain_aAcE.txt", "qstat.explain_aAcE.xml"])
def test_the_reasons_of_queue_instances_in_error_are_kept(name: str) -> None:
    record = recorded(name)
    assert dict(record.state.error_reasons) == {
        f"{queue}@localhost": "; ".join(MARKED.format(queue, job) for job in jobs) for queue, jobs in IN_ERROR.items()
    }
    again = read_texts(Layout.YAML, "again", {"jobs.yaml": state_text(record.state)}).state
    assert (again.queue_states, again.error_reasons) == (record.state.queue_states, record.state.error_reasons)


def test_reasons_are_those_of_errors_only() -> None:
    text = (RECORDS / "qstat.explain_aAcE.txt").read_text()
    assert set(read(text.replace("dE\n", "d\n")).state.error_reasons) == {
        f"{queue}@localhost" for queue in IN_ERROR if queue not in ("dis.q", "p1.q")
    }
    assert not read(text.replace("E\n", "u\n").replace("Es\n", "s\n")).state.error_reasons


def test_a_job_that_waits_again_after_it_failed_is_in_no_error() -> None:
    record = recorded("qstat.j_failed.txt")
    assert {job.id: states(job) for job in record.state.jobs} == {1: {}, 3: {1: "Eqw"}}
    assert job(record, 3).tasks[1].reason == "11/28/2026 15:55:41 [0:75]: exit_status of prolog = 100"
    assert not record.findings
    silent = read((RECORDS / "qstat.j_failed.txt").read_text().partition("scheduling info")[0])
    (note,) = notes(silent)
    assert note[2] == "job 1 is taken to be in error (Eqw): the file gives a reason, but no state"


def test_the_reason_of_an_error_is_kept() -> None:
    reason = 'can\'t get password entry for user "anna". Either the user does not exist'
    record = read(
        FORKS.replace("job_state             1:    r", f"error reason          1:    {reason}\x1b[2J").format("")
    )
    task = job(record, 7).tasks[1]
    assert (task.state, task.reason) == ("Eqw", f"{reason} [2J")
    xml = "<JB_ja_tasks><ulong_sublist><JAT_task_number>1</JAT_task_number><JAT_status>0</JAT_status><JAT_state>34880" \
          f"</JAT_state><JAT_message_list><ulong_sublist><QIM_message>{reason}</QIM_message></ulong_sublist>" \
          "</JAT_message_list></ulong_sublist></JB_ja_tasks>"  # fmt: skip
    for element in (f"<element>{{}}{xml}</element>", f"{{}}{xml}"):  # tools drop the element around the job
        text = element.format("<JB_job_number>7</JB_job_number>")
        record = read(f"<detailed_job_info><djob_info>{text}</djob_info></detailed_job_info>")
        assert (job(record, 7).tasks[1].state, job(record, 7).tasks[1].reason) == ("Eqw", reason)
