"""Read records of clusters: XML and tables of qstat, qhost and qquota, accounting files, SWF traces."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.records.accounting import whose_record as whose_record
    from qmon_tui.formats.records.client_xml import read_clients as read_clients
    from qmon_tui.formats.records.job_builders import task_numbers as task_numbers
    from qmon_tui.formats.records.record import FinishedTask as FinishedTask, Recorded as Recorded, moment as moment
    from qmon_tui.formats.records.record_reader import read_records as read_records, record_words as record_words
    from qmon_tui.formats.records.swf import SwfRow as SwfRow, swf_lines as swf_lines
else:
    __getattr__ = late_names(__name__, __file__)
