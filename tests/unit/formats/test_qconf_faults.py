"""Files that a real qmaster refused to read, and odd ones that it read, with its words."""

import pytest

from qmon_tui.checks import check_object
from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.parsed_files import read_qconf_file
from qmon_tui.formats.qconf.complex_table import read_complexes
from qmon_tui.formats.qconf.objects import read_object
from qmon_tui.formats.qconf.quotas import read_quotas, write_quotas
from qmon_tui.formats.qconf.sharetree import write_sharetree
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from tests.unit.formats.recorded import samples

FAULTS = samples()["faults"]
FINE = samples()["fine"]

ONLY_BLANKS = 'error: " " is the only character allowed between the attribute name and the value in line {}'
OURS = {
    # The qmaster's text for CR LF is an accident of each kind; ours says what is the matter.
    ("quota", "format: CRLF"),
    ("calendar", "CRLF"),
    # An empty file is what saving writes where there is none.
    ("quota", "format: empty file"),
    ("sharetree", "empty file"),
}


def ids(cases: list[dict[str, str]]) -> list[str]:
    return [f"{case['kind']} {case['label']}" for case in cases]


def is_layout(case: dict[str, str]) -> bool:
    """What is inside a name or a limit is a matter of the checks."""
    inside = case["kind"] in ("quota", "project") and case["label"].startswith(("limit", "name=", "description="))
    return not inside and (case["kind"], case["label"]) not in OURS


LAYOUT = [case for case in FAULTS if is_layout(case)]


@pytest.mark.parametrize("case", LAYOUT, ids=ids(LAYOUT))
def test_the_first_finding_has_the_qmasters_words(case: dict[str, str]) -> None:
    kind = Kind(case["kind"])
    # A line of the table was given behind the default list.
    text = "\n" * 71 + case["input"] if kind is Kind.COMPLEX and case["input"].strip("# ab\n") else case["input"]
    file = case["message"].rsplit('"', 2)[1] if kind is Kind.CONFIGURATION else "FILE"
    _, findings = read_qconf_file(kind, text, file)
    assert findings
    assert findings[0].message == case["message"]
    assert findings[0].severity is Severity.ERROR
    assert findings[0].rule.startswith("format.")


# Values that the server normalises are a matter of the checks; of a number broken in two the qmaster forgets a half.
NOT_READ_SO = ("weight_", "-M", "user_lists=", "continuation inside number")
READ = [case for case in FINE if not case["label"].startswith(NOT_READ_SO)]


@pytest.mark.parametrize("case", READ, ids=ids(READ))
def test_odd_layouts_are_read_as_the_qmaster_stored_them(case: dict[str, str]) -> None:
    kind = Kind(case["kind"])
    objects, findings = read_qconf_file(kind, case["input"], "file")
    assert findings == ()
    assert objects
    stored = case["stored"]
    if kind is Kind.QUOTA:
        assert write_quotas(objects[:1]).split() == str(stored).split()
    elif kind is Kind.SHARETREE:
        # The server prints the names in its own order.
        assert sorted(write_sharetree(objects[0]).replace(", ", ",").split()) == sorted(str(stored).split())
    elif isinstance(stored, dict):
        for name, text in stored.items():
            # What -se prints besides was not in the file.
            if name not in ("load_values", "processors"):
                assert objects[0].text(name) == text


def test_a_comment_in_a_list_joins_the_next_line() -> None:
    text = "group_name @hh\nhostlist sim1 # x\n sim2\n"
    group, findings = read_object(Kind.HOSTGROUP, text, "@hh")
    assert findings == ()
    assert group is not None
    assert group.text("hostlist") == "sim1 sim2"


@pytest.mark.parametrize(
    ("kind", "text", "missing"),
    [
        (Kind.PROJECT, "name p # x\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n", "oticket"),
        (Kind.CALENDAR, "calendar_name c\nyear NONE # foo\nweek mon=off # bar\n", "week"),
        (Kind.HOSTGROUP, "group_name @hh # x\nhostlist sim1 sim2\n", "hostlist"),
    ],
)
def test_a_comment_behind_a_value_swallows_the_next_attribute(kind: Kind, text: str, missing: str) -> None:
    _, findings = read_object(kind, text, "file")
    assert [finding.message for finding in findings] == [f'error: required attribute "{missing}" is missing']
    assert "#" in findings[0].hint


def test_of_all_that_a_file_lacks_the_first_is_named_and_the_others_are_counted() -> None:
    texts = {
        "cqueues/README": "hi\n",
        "calendars/night": "week NONE\n",
        "calendars/day": "calendar_name day\nweek NONE\n",
        "projects/p": "name p\noticket 0\n",
    }
    missing = [finding for finding in read_texts(Layout.QCONF, "c", texts).findings if finding.rule == "format.missing"]
    assert [(finding.file, finding.message, finding.hint) for finding in missing] == [
        ("cqueues/README", 'error: required attribute "qname" is missing',
         "add the line: qname template; 49 more attributes are missing"),
        ("calendars/day", 'error: required attribute "year" is missing', "add the line: year NONE"),
        ("calendars/night", 'error: required attribute "calendar_name" is missing',
         "add the line: calendar_name template; 1 more attribute is missing"),
        ("projects/p", 'error: required attribute "fshare" is missing',
         "add the line: fshare 0; 2 more attributes are missing"),
    ]  # fmt: skip


def test_what_a_file_lacks_is_said_at_its_beginning() -> None:
    _, findings = read_object(Kind.CALENDAR, "\ncalendar_name day\nweek NONE\n", "calendars/day")
    assert [(finding.message, finding.line) for finding in findings] == [
        ('error: required attribute "year" is missing', 1)
    ]


def test_a_queue_and_a_configuration_keep_a_hash() -> None:
    text = samples()["captures"]["sq.template.txt"].replace("/tmp", "/tmp # comment")
    queue, findings = read_object(Kind.QUEUE, text, "template")
    assert findings == ()
    assert queue is not None
    assert queue.text("tmpdir") == "/tmp # comment"
    host, findings = read_object(Kind.CONFIGURATION, "mailer /x\nqmaster_params a b # c\nxterm /x\n", "sim2")
    assert findings == ()
    assert host is not None
    assert dict(host.values) == {"mailer": "/x", "qmaster_params": "a b # c", "xterm": "/x"}
    assert host.name == "sim2"


def test_the_places_of_fields_and_faults() -> None:
    text = "# a group\n\ngroup_name @g\nhostlist sim1 \\\n         sim2\nfoo bar\n"
    group, findings = read_object(Kind.HOSTGROUP, text, "hostgroups/@g")
    assert group is not None
    assert group.origin is not None
    assert (group.origin.file, group.origin.line) == ("hostgroups/@g", 3)
    assert dict(group.origin.lines) == {"group_name": 3, "hostlist": 4, "foo": 6}
    (finding,) = findings
    assert (finding.rule, finding.kind, finding.name, finding.field) == ("format.unknown", "hostgroup", "@g", "foo")
    assert (finding.file, finding.line, finding.column) == ("hostgroups/@g", 6, 1)


def test_crlf_is_said_once_and_the_object_is_read() -> None:
    text = "calendar_name c\r\nyear NONE\r\nweek mon=off\r\n"
    calendar, findings = read_object(Kind.CALENDAR, text, "calendars/c")
    assert calendar is not None
    assert dict(calendar.values) == {"calendar_name": "c", "year": "NONE", "week": "mon=off"}
    assert [finding.rule for finding in findings] == ["format.crlf"]
    rules = "{\r\nname r\r\ndescription NONE\r\nenabled TRUE\r\nlimit to slots=1\r\n}\r\n"
    quotas, findings = read_quotas(rules, "resource_quotas/r")
    assert [(quota.name, quota.text("limit")) for quota in quotas] == [("r", "to slots=1")]
    assert [(finding.rule, finding.line) for finding in findings] == [("format.crlf", 1)]


def test_of_two_complexes_with_one_name_the_first_counts() -> None:
    text = "a a INT <= YES NO 0 0\na b INT <= YES NO 0 5\nc x INT <= YES NO 0\n"
    objects, findings = read_complexes(text, "centry")
    assert [(obj.name, obj.text("urgency")) for obj in objects] == [("a", "0")]
    assert [(finding.rule, finding.line) for finding in findings] == [("format.duplicate", 2), ("format.table", 3)]
    assert findings[0].message == "complex with name a or shortcut b already exists"


def test_a_fault_of_a_value_that_begins_in_the_next_line_is_in_that_line() -> None:
    """As qconf -Me says it (8.1.9). Of a list that is broken further on, the line in which it begins is told."""
    text = "hostname host3\nload_scaling \\\n   load_avg=1 slots=2\n"
    obj, _ = read_object(Kind.HOST, text, "host3")
    assert obj is not None
    assert obj.origin is not None
    assert obj.origin.line_of("load_scaling") == 3
    messages = [finding.message for finding in check_object(Cluster(), obj)]
    assert 'error: values in the attribute value list in line 3 should be separated by ","' in messages


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.QUOTA, "\n{\r\n   name a\r\n   enabled TRUE\r\n   limit to slots=1\r\n}\r\n"),
        (Kind.COMPLEX, "\na a INT <= YES YES 0 0\r\n"),
    ],
)
def test_line_ends_of_a_whole_file_are_told_at_its_beginning(kind: Kind, text: str) -> None:
    objects, findings = read_qconf_file(kind, text, "file")
    assert [(one.rule, one.line, one.column) for one in findings] == [("format.crlf", 1, 1)]
    assert [obj.name for obj in objects] == ["a"]


SET = "{\nname a\ndescription d\nenabled TRUE\nlimit to slots=1\n}\n"
UNNAMED = SET.replace("name a\n", "")


@pytest.mark.parametrize(
    ("text", "names", "findings"),
    [
        (SET, "a", []),
        ("", "", []),
        ("# c\n", "", []),
        (UNNAMED, "", [("missing", 1, 1, "set has no name")]),
        ("{\n}\n", "", [("missing", 1, 1, "set has no name")]),
        (SET + UNNAMED, "a", [("missing", 7, 1, "set has no name")]),
        (SET + SET, "a", [("duplicate", 7, 1, 'contains rqs name "a" multiple times')]),
        (SET + SET.replace("name a", "name b"), "ab", []),
        ("{ x\n" + SET[2:], "a", [("quota", 1, 1, 'unknown attribute name "x"')]),
        # What stands before or between sets ends the reading.
        ("x y\nz w\n" + SET, "", [("quota", 1, 1, 'in line 1 should begin with "{"')]),
        (SET + "x y\nz w\n" + SET, "a", [("quota", 7, 1, 'in line 7 should begin with "{"')]),
        (SET[:-2], "a", [("quota", 5, 16, 'in line 6 should end with "}"')]),
        (
            SET.replace("}", "} x"),
            "a",
            [("quota", 6, 3, 'in line 7 should end with "}"'), ("unknown", 6, 1, 'unknown attribute name "}"')],
        ),
        # Each attribute once, and in their order; limits at the end.
        (SET.replace("TRUE", "TRUE\nenabled FALSE"), "a", [("duplicate", 5, 1, 'unknown attribute name "enabled"')]),
        (SET.replace("TRUE", "TRUE\nname b"), "a", [("duplicate", 5, 1, 'unknown attribute name "name"')]),
        ("{\ndescription d\nname a" + SET[22:], "a", [("quota", 3, 1, 'unknown attribute name "name"')]),
        (SET.replace("enabled TRUE\nlimit to slots=1", "limit x\nenabled TRUE"), "a", [("quota", 5, 1, '"enabled"')]),
        (SET.replace("=1", "=1\ncolour red"), "a", [("unknown", 6, 1, 'unknown attribute name "colour"')]),
        (SET.replace("=1", "=1 # c"), "a", [("quota", 5, 1, "line 6 should begin with an attribute name")]),
        (SET.replace("\n", "\r\n"), "a", [("crlf", 1, 1, "end in CR LF")]),
    ],
)
def test_sets_of_a_file_and_what_is_told_of_it(
    text: str, names: str, findings: list[tuple[str, int, int, str]]
) -> None:
    objects, told = read_quotas(text, "resource_quotas/a")
    assert "".join(quota.name for quota in objects) == names
    assert [(found.rule, found.line, found.column) for found in told] == [
        (f"format.{rule}", line, column) for rule, line, column, _ in findings
    ]
    for found, (_, _, _, words) in zip(told, findings, strict=True):
        assert words in found.message


def test_sets_know_their_lines_and_of_what_is_repeated_the_first_counts() -> None:
    text = "# c\n" + SET.replace("TRUE", "TRUE\nenabled FALSE").replace("=1", "=1\nlimit to gpu=2")
    ((quota,), _) = read_quotas(text, "resource_quotas/a")
    assert (quota.text("enabled"), quota.text("limit")) == ("TRUE", "to slots=1\nto gpu=2")
    assert quota.origin is not None
    assert quota.origin.line == 2
    assert dict(quota.origin.lines) == {"name": 3, "description": 4, "enabled": 5, "limit": 7}


def test_a_line_without_a_value_ends_no_set() -> None:
    ((quota,), _) = read_quotas(SET.replace("enabled TRUE", "enabled"), "resource_quotas/a")
    assert quota.text("limit") == "to slots=1"


PROJECT = "name p\noticket {}\nfshare 0\nacl {}\nxacl NONE\n"
CKPT = (
    "ckpt_name c\ninterface userdefined\nckpt_command {}\nmigr_command none\nrestart_command none\n"
    "clean_command none\nckpt_dir /tmp\nsignal none\nwhen sx\n"
)


@pytest.mark.parametrize(
    ("kind", "text", "field", "value"),
    [
        (Kind.CKPT, CKPT.format("/a\tb  c"), "ckpt_command", "/a b c"),
        (Kind.CKPT, CKPT.format("/a \\\n\\\n b"), "ckpt_command", "/a b"),
        (Kind.CKPT, CKPT.format("\\\n  /a"), "ckpt_command", "/a"),
        (Kind.CKPT, CKPT.format("/a,\\\n  b"), "ckpt_command", "/a,b"),
        (Kind.CKPT, CKPT.format("a \\\n  b"), "ckpt_command", "a b"),
        (Kind.CONFIGURATION, "#h:\nmailer /a\\\n  b\n", "mailer", "/a b"),
        (Kind.CONFIGURATION, "#h:\nmailer a \\\n  /b\n", "mailer", "/b"),
        (Kind.CONFIGURATION, "#h:\nmailer a,\\\n  /b\n", "mailer", "a,/b"),
        (Kind.CONFIGURATION, "#h:\nmailer\\\n  /b\n", "mailer", "/b"),
        (Kind.CONFIGURATION, "#h:\nmailer /b \n", "mailer", "/b "),
        (Kind.QUEUE, "qname q\\\nx\n", "qname", "x"),
    ],
)
def test_values_of_broken_lines_and_tabs(kind: Kind, text: str, field: str, value: str) -> None:
    obj, _ = read_object(kind, text, "FILE")
    assert obj is not None
    assert obj.text(field) == value


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (Kind.PROJECT, PROJECT.format("0\\\n", "NONE"), 'error: required attribute "fshare" is missing'),
        (Kind.PROJECT, PROJECT.format("\\\n\n0", "NONE"), ONLY_BLANKS.format(4)),
        (Kind.PROJECT, "5 p\n" + PROJECT.format("0", "NONE"), "error: line 1 should begin with an attribute name"),
        (Kind.PROJECT, PROJECT.format("0", "NONE") + "xacl\\\nNONE", 'error: attribute "xacl" appears more than once'),
        (Kind.CONFIGURATION, "#h:\nmailer 1\\\n  \n", 'no value given for configuration attribute "mailer"'),
        (
            Kind.CONFIGURATION,
            "#h:\nmailer /bin/mail",
            'error: each value in the attribute value list in line 2 should end with "<NEWLINE>"',
        ),
        (
            Kind.CONFIGURATION,
            "#h:\nmailer /a\nmailer /b\n",
            '"mailer" is written twice: both lines are stored and the first counts',
        ),
        (
            Kind.CALENDAR,
            "calendar_name c\nyear NONE\nweek mon=off # c\n",
            'the blank at the end of the file is part of the value of "week"',
        ),
    ],
)
def test_lines_that_are_broken_wrongly(kind: Kind, text: str, message: str) -> None:
    _, findings = read_object(kind, text, "FILE")
    assert [finding.message for finding in findings] == [message]
