"""What the first lines of a file show it to be, which files are read together, and times as the forks write them."""

import pytest

from qmon_tui.formats.format_findings import unreadable
from qmon_tui.formats.records import read_records, record_words
from qmon_tui.formats.records.record import moment
from qmon_tui.formats.records.reporting import read_reporting
from qmon_tui.values.times import LATEST

TRACE, ACCOUNTING = "SWF trace", "accounting"
LISTING = b"job-ID  prior   name       user         state submit/start at     queue                          slots\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("; a comment", TRACE),
        (";".join(["1"] * 18), TRACE),
        (";".join(["1"] * 17), None),
        (" ".join(["1"] * 18), TRACE),
        (" ".join(["1"] * 19), TRACE),
        (" ".join(["1"] * 17), None),
        (" ".join(["word"] * 18), None),
        (" 1", None),
        (":".join(["1"] * 43), ACCOUNTING),
        (":".join(["1"] * 42), None),
        ("\n" * 19 + "; a comment", TRACE),
        ("\n" * 20 + "; a comment", None),
        ("", None),
    ],
)
def test_the_kind_of_a_record_shows_in_its_first_lines(text: str, words: str | None) -> None:
    assert record_words(text.encode()) == words


@pytest.mark.parametrize("comment", [b"", b"; UnixStartTime: 9\n"])
def test_a_byte_order_mark_is_no_part_of_the_first_line(comment: bytes) -> None:
    row = b"1 5 0 10 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n"
    data = b"\xef\xbb\xbf" + comment + row
    assert record_words(data) == TRACE
    read = read_records({"t": data})
    assert ([job.submitted for job in read.state.jobs], read.findings) == ([14 if comment else 5], ())


def test_what_clients_print_is_read_together_and_a_log_by_itself() -> None:
    xml = b"<job_info><job_list><JB_job_number>7</JB_job_number></job_list></job_info>"
    both = read_records({"a": xml, "b": LISTING})
    assert ([job.id for job in both.state.jobs], unreadable(both.findings)) == ([7], ())
    for files, file, said in (
        ({"a": xml, "b": b"; trace"}, "b", "a log is read by itself, not together with other files"),
        ({"a": b"; trace", "b": b"; trace"}, "a", "a log is read by itself, not together with other files"),
        ({"a": xml, "b": b"nothing"}, "b", "this is none of: "),
    ):
        (finding,) = read_records(files).findings
        assert (finding.file, finding.line, finding.message[: len(said)]) == (file, 1, said)


def test_lines_of_a_log_of_reports_are_counted_from_one() -> None:
    record = read_reporting(["", "1:new_job:1", "1:acct:1", "1:new_job:2"], "reporting")
    assert sorted(finding.line or 0 for finding in record.findings) == [2, 3, 4]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("", None),
        ("0", None),
        ("1", 1),
        ("99999999999", 99_999_999_999),
        ("100000000000", 100_000_000),
        ("99999999999999", 99_999_999_999),
        ("100000000000000", 100_000_000),
        (f"{LATEST}000000", LATEST),
        (f"{1:05000}", 1),
    ],
)
def test_times_are_seconds_milliseconds_or_microseconds(text: str, seconds: int | None) -> None:
    assert moment(text) == seconds


@pytest.mark.parametrize(
    ("text", "said"),
    [(f"{LATEST + 1}000000", "is too far away"), ("1" * 20, "is too far away"), ("²", "is not a time")],
)
def test_times_that_are_none(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        moment(text)
