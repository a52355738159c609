"""What single elements of qstat -f, qhost and qquota say of queue instances, hosts and rules (clients.md)."""

import pytest

from qmon_tui.formats.format_findings import unreadable
from qmon_tui.formats.records import record as records, xmltree
from qmon_tui.formats.records.accounting import read_accounts
from qmon_tui.formats.records.record import Recorded
from qmon_tui.formats.records.record_reader import read_records
from qmon_tui.formats.records.xmltree import XmlError, read_xml


def read(text: str) -> Recorded:
    return read_records({"file": text.encode()})


def instance(body: str, name: str = "a.q@N1") -> Recorded:
    return read(f"<job_info>\n<queue_info><Queue-List><name>{name}</name>{body}</Queue-List></queue_info></job_info>")


def said(record: Recorded) -> list[tuple[int | None, str]]:
    return [(finding.line, finding.message) for finding in record.findings]


def test_jobs_that_are_not_there_and_what_is_no_instance_are_said_with_their_lines() -> None:
    names = "\n<element><ST_name>7</ST_name></element>\n<element><ST_name> x </ST_name></element>"
    assert said(read(f"<unknown_jobs>{names}</unknown_jobs>")) == [(2, "there is no job 7"), (3, "there is no job x")]
    nowhere = instance("<slots_total>2</slots_total>", "a.q")
    assert (said(nowhere), dict(nowhere.slots)) == ([(2, '"a.q" is not a queue instance')], {})
    assert said(read("<qping/>")) == [(1, "<qping> is not output of qstat, qhost, qrstat or qquota")]


@pytest.mark.parametrize(
    ("resource", "values", "loads"),
    [
        ('name="arch" type="hl">lx', {"hl:arch": "lx"}, {"n1": {"arch": "lx"}}),
        ('name="lic" type="gl">3', {"gl:lic": "3"}, {"global": {"lic": "3"}}),
        ('name="lic" type="hL">3', {"hL:lic": "3"}, {"n1": {"lic": "3"}}),
        ('name="lic" type="gc">3', {"gc:lic": "3"}, {}),
        ('name="lic" type="lc">3', {"lc:lic": "3"}, {}),
        ('name="qname" type="qf">a.q', {"qf:qname": "a.q"}, {}),
        ('name="lic" type="">3', {":lic": "3"}, {}),
        ('name="" type="hl">3', {}, {}),
        ('name="lic" type="hl">-NA-', {}, {}),
        ('name="lic" type="hl">-', {}, {}),
    ],
)
def test_values_of_an_instance(resource: str, values: dict[str, str], loads: dict[str, dict[str, str]]) -> None:
    record = instance(f"<resource {resource}</resource>")
    assert dict(record.values.get("a.q@n1", {})) == values
    assert {host: dict(known) for host, known in record.state.loads.items()} == loads


def test_slots_states_and_the_load_of_an_instance() -> None:
    record = instance("<slots_total>4</slots_total><state>aAdu</state><load_avg>0.5</load_avg>")
    assert (dict(record.slots), dict(record.state.queue_states)) == ({"a.q@n1": 4}, {"a.q@n1": "du"})
    assert dict(record.state.loads["n1"]) == {"load_avg": "0.5"}
    record = instance("<slots_total>x</slots_total><state>aA</state><load_avg>-NA-</load_avg>")
    assert (dict(record.slots), dict(record.state.queue_states), dict(record.state.loads)) == ({}, {}, {})
    values = '<resource name="load_avg" type="hl">7</resource>'
    assert instance(f"<load_avg>0.5</load_avg>{values}").state.loads["n1"]["load_avg"] == "7"


def test_hosts_and_what_is_on_them() -> None:
    hosts = (
        '<host name="N1"><hostvalue name="load_avg">0.5</hostvalue><hostvalue name="mem_total">-</hostvalue>'
        '<hostvalue name="odd">1</hostvalue><hostvalue name="arch_string">lx</hostvalue>'
        '<resourcevalue name="lic" dominance="hl">3</resourcevalue>'
        '<queue name="a.q@n1"><queuevalue name="slots">8</queuevalue><queuevalue name="state_string">d</queuevalue>'
        '</queue><queue name="b.q"><queuevalue name="slots">-</queuevalue></queue></host>'
        '<host name="N2"><hostvalue name="load_avg">-</hostvalue></host>'
    )
    record = read(f"<qhost>{hosts}</qhost>")
    assert {host: dict(known) for host, known in record.state.loads.items()} == {
        "n1": {"load_avg": "0.5", "arch": "lx", "lic": "3", "np_load_avg": "0.5"}
    }
    assert dict(record.values["n1"]) == {"hl:lic": "3"}
    assert (dict(record.slots), dict(record.state.queue_states)) == ({"a.q@n1": 8}, {"a.q@n1": "d"})
    assert [(finding.line, finding.message) for finding in record.findings] == [
        (
            1,
            "the load values of n1 are not in the file, but no alarm is shown: np_load_avg is taken for load_avg, 1 at"
            " most",
        )
    ]


def test_usage_of_rules() -> None:
    (quota,) = read(
        '<qquota_result><qquota_rule name="s/1"><users>anna</users><hosts>@g</hosts>'
        '<limit resource="slots" limit="4" value="2"/></qquota_rule></qquota_result>'
    ).quotas
    assert (quota.rule, dict(quota.filters)) == ("s/1", {"users": "anna", "hosts": "@g"})
    assert (quota.resource, quota.limit, quota.value) == ("slots", "4", "2")


@pytest.mark.parametrize(("slots", "is_said"), [(1, False), (2, True)])
def test_several_slots_of_an_environment_that_is_not_named(slots: int, is_said: bool) -> None:
    row = f"<JB_job_number>7</JB_job_number><state>qw</state><slots>{slots}</slots>"
    row += "<JB_submission_time>2026-11-24T12:00:00</JB_submission_time>"
    record = read(f"<job_info><job_info><job_list state='pending'>{row}</job_list></job_info></job_info>")
    assert bool(record.findings) is is_said


def test_a_byte_order_mark_and_blanks_may_come_before_the_xml() -> None:
    text = b"\xef\xbb\xbf \r\n<qhost><host name='n1'><hostvalue name='load_avg'>1</hostvalue></host></qhost>"
    assert dict(read_records({"file": text}).state.loads["n1"]) == {"load_avg": "1", "np_load_avg": "1"}


def test_only_so_many_blocks_of_qacct_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_RECORDS", 2)
    blocks = [f"{'=' * 62}\nqname all.q\nhostname n1\njobnumber {number}\nslots 1" for number in (1, 2, 3, 4)]
    record = read_accounts("\n".join(blocks).splitlines(), "file")
    assert [job.id for job in record.state.jobs] == [1, 2]
    assert [finding.line for finding in unreadable(record.findings)] == [12]


@pytest.mark.parametrize(
    ("failed", "code"), [("0", 0), ("1", 1), ("37  : qmaster enforced", 37), ("-1", -1), ("x", 0), ("", 0)]
)
def test_what_failed_is_a_code_with_words_behind_it(failed: str, code: int) -> None:
    block = f"{'=' * 62}\nqname all.q\nhostname n1\njobnumber 5\nslots 1\nfailed {failed}"
    (task,) = read_accounts(block.splitlines(), "file").finished
    assert task.failed == code


def test_how_deep_and_how_large_xml_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    deepest = xmltree.DEEPEST
    assert read_xml(b"<a>" * deepest + b"</a>" * deepest).tag == "a"
    with pytest.raises(XmlError, match=f"elements are nested more than {deepest} deep") as refused:
        read_xml(b"<a>\n" * (deepest + 1) + b"</a>" * (deepest + 1))
    assert refused.value.line == deepest + 1
    monkeypatch.setattr(xmltree, "MOST_ELEMENTS", 3)
    assert len(read_xml(b"<a><b/><b/></a>").children) == 2
    with pytest.raises(XmlError, match="there are more than 3 elements") as refused:
        read_xml(b"<a><b/>\n<b/>\n<b/></a>")
    assert refused.value.line == 3


def test_jobs_are_read_one_by_one_whatever_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xmltree, "MOST_ELEMENTS", 20)
    row = (
        "<job_list state='running'><JB_job_number>{}</JB_job_number><JB_owner>u%lt;&amp;</JB_owner><state>r</state>"
        "<slots>2</slots><hard_request name='h_vmem'>1G</hard_request><hard_request name='gpu'>1</hard_request>"
        "<hard_req_queue>a.q</hard_req_queue><hard_req_queue>b.q</hard_req_queue>"
        "<odd><JB_owner>inside</JB_owner>x</odd><JB_project>p</JB_project></job_list>"
    )
    rows = "\n".join(row.format(number) for number in range(1, 40))
    record = read(f"<job_info><queue_info><Queue-List><name>a.q@n1</name>{rows}</Queue-List></queue_info></job_info>")
    assert len(record.state.jobs) == 39
    job = record.state.jobs[-1]
    assert (job.owner, job.request.project, job.request.hard_queues) == ("u<&", "p", ("a.q", "b.q"))
    assert job.request.hard == (("h_vmem", "1G"), ("gpu", "1"))
    assert dict(job.tasks[1].granted) == {"a.q@n1": 2}
    assert record.state.jobs[0].request is job.request, "equal requests are one object"
    details = "".join(f"<element><JB_job_number>{number}</JB_job_number></element>" for number in range(1, 40))
    assert len(read(f"<detailed_job_info><djob_info>{details}</djob_info></detailed_job_info>").state.jobs) == 39


def test_blanks_between_jobs_are_not_kept() -> None:
    rows = "".join(f"\n    <job_list><JB_job_number>{number}</JB_job_number></job_list>" for number in range(3))
    taken: list[str] = []
    root = read_xml(f"<a>{rows}\n</a>".encode(), lambda job, parent: taken.append(job.word("JB_job_number")))
    assert taken == ["0", "1", "2"]
    assert root.text.strip("\n") == ""


def test_tasks_that_a_restarted_qmaster_has_read_from_its_spool() -> None:
    data = b"""<?xml version='1.0'?>
<detailed_job_info><djob_info><element>
  <JB_job_number>5</JB_job_number><JB_owner>amir</JB_owner>
  <JB_ja_structure><task_id_range><RN_min>1</RN_min><RN_max>2</RN_max><RN_step>1</RN_step></task_id_range>
  </JB_ja_structure>
  <JB_ja_tasks>
    <JATASK:       5.><JAT_status>128</JAT_status><JAT_task_number>1</JAT_task_number></JATASK:       5.>
    <JATASK:       5.><JAT_status>0</JAT_status><JAT_state>32784</JAT_state><JAT_task_number>2</JAT_task_number>
    </JATASK:       5.>
  </JB_ja_tasks>
</element></djob_info></detailed_job_info>"""
    recorded = read_records({"j": data})
    assert [finding.message for finding in recorded.findings if finding.rule == "format.xml"] == []
    (job,) = recorded.state.jobs
    assert {number: task.state for number, task in job.tasks.items()}[1] == "r"
    assert len(job.tasks) == 2
