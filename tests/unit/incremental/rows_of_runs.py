"""Runs in a row on small clusters: what happens before each, what it starts, and whether it tries anybody."""

from collections.abc import Sequence
from datetime import datetime

from qmon_tui.model import Cluster, Kind, State, config_object
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    project,
    queue,
    scheduler,
    sharetree,
    user,
)

OBJECTS = (
    attribute("lic lic INT <= YES YES 0 100"),
    host("global", "lic=2"),
    environment("mpi"),
    environment("own", control_slaves="TRUE"),
    project("blue", fshare=50),
    user("anna", fshare=100),
    user("bob", fshare=300),
)
SMALL = (queue("a.q", "h1", 2, pe_list="mpi own"),)
MINUTE = NOW - NOW % 60
BREAK = "-".join(datetime.fromtimestamp(MINUTE + seconds).strftime("%H:%M") for seconds in (60, 120))
TICKETS = {"weight_tickets_functional": 1000, "weight_ticket": 2, "halftime": 1}

EMPTY = State(now=NOW)

Step = tuple[str, str, bool]
"""What happens before a run, which tasks that starts, and whether it tries any job."""
ROWS: dict[str, tuple[Cluster, Sequence[Step]]] = {
    "full": (
        cluster(*OBJECTS, *SMALL),
        [
            ("", "", False),
            ("submit", "1.1", True),
            ("submit; submit", "2.1", True),
            ("", "", False),
            ("arrive 1; arrive 2", "", False),
            ("submit -h", "", False),
            ("end 1", "3.1", True),
            ("end 2; end 3", "", False),
            ("release 4", "4.1", True),
        ],
    ),
    "nobody fits": (
        cluster(*OBJECTS, *SMALL),
        [
            ("submit -l lic=2; submit -l lic=1; submit", "1.1 3.1", True),
            ("end 3", "", True),
            ("", "", True),
            ("arrive 1", "", True),
            ("submit -h", "", True),
            ("submit -l lic=2", "", True),
            ("", "", True),
            ("hold 2", "", True),
            ("release 2; end 1", "5.1", True),
            ("", "", True),
            ("", "", True),
        ],
    ),
    "one job of each user": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 4), scheduler(maxujobs=1)),
        [
            ("submit; submit; submit by bob", "1.1 3.1", True),
            ("submit by bob", "", True),
            ("end 1", "2.1", True),
            ("end 2", "", True),
        ],
    ),
    "parallel": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 2, pe_list="mpi own")),
        [
            ("submit -pe mpi 2", "1.1", True),
            ("submit -pe own 3; submit -pe mpi 1", "3.1", True),
            ("", "", True),
            ("end 1", "2.1", True),
            ("submit", "", False),
            ("end 3", "4.1", True),
            ("end 2", "", False),
            ("submit -pe mpi 1-4", "5.1", True),
            ("submit -pe mpi 1-4", "", False),
            ("", "", False),
            ("", "", False),
        ],
    ),
    "tickets": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 2), scheduler(**TICKETS)),
        [
            ("submit -t 1-3 by anna; submit -t 1-3 by bob; submit -P blue by carl", "2.1 3.1 2.2 1.1", True),
            ("end 1; end 2", "2.3 1.2", True),
            ("end 2.2", "1.3", True),
            ("end 3", "", False),
        ],
    ),
    "a share tree": (
        cluster(
            *OBJECTS,
            queue("a.q", "h1", 2),
            sharetree(anna=10, bob=20),
            scheduler(weight_tickets_share=1000, weight_ticket=2, halftime=1),
        ),
        [
            ("submit by anna; submit by anna; submit by bob; submit by bob", "3.1 1.1", True),
            ("", "", False),
            ("end 2", "", False),
            ("end 1", "4.1", True),
            ("end 4", "2.1", True),
        ],
    ),
    "override tickets": (
        cluster(*OBJECTS, queue("a.q", "h1", 1), user("olga", oticket=5), scheduler(weight_ticket=2)),
        [
            ("submit by anna; submit by olga; submit by anna; submit by olga", "2.1", True),
            ("end 1", "", False),
            ("submit by olga; end 2", "4.1", True),
            ("end 4", "5.1", True),
            ("end 5", "1.1", True),
            ("end 3", "", False),
        ],
    ),
    "arrays": (
        cluster(*OBJECTS, queue("a.q", "h1", 3), scheduler(max_pending_tasks_per_job=2)),
        [
            ("submit -t 1-5; submit -p -1", "1.1 1.2 1.3", True),
            ("end 1.2", "1.4", True),
            ("end 1.1; end 1.3", "1.5 2.1", True),
            ("end 1.4", "", False),
            ("end 2; submit -t 1-4 -tc 2", "3.1 3.2", True),
            ("end 1.5; end 3.1", "", False),
            ("end 3.2; end 3.3; end 3.4", "3.3", True),
            ("", "3.4", True),
        ],
    ),
    "one waits for another": (
        cluster(*OBJECTS, queue("a.q", "h1", 4)),
        [
            ("submit; submit -hold_jid 1; submit -hold_jid 2", "1.1", True),
            ("", "", False),
            ("end 1", "2.1", True),
            ("", "", False),
            ("end 2", "3.1", True),
            ("", "", False),
            ("end 3", "", False),
            ("", "", False),
            ("submit", "4.1", True),
        ],
    ),
    "loads": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 1, load_thresholds="np_load_avg=2")),
        [
            ("submit; submit", "", False),
            ("load h1 3; end 1; end 2; submit; submit", "", False),
            ("", "", False),
            ("load h2 3", "", False),
            ("load h1 1", "1.1", True),
            ("load h2 1", "2.1", True),
        ],
    ),
    "letters": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 1)),
        [
            ("disable a.q@h1; submit; submit", "1.1", True),
            ("", "", False),
            ("disable a.q@h2; end 1", "", False),
            ("", "", False),
            ("enable a.q@h1", "2.1", True),
            ("", "", False),
        ],
    ),
    "subordinates": (
        cluster(
            *OBJECTS,
            queue("high.q", "h1 h2", 2, subordinate_list="low.q=1,lower.q"),
            queue("low.q", "h1", 2),
            queue("lower.q", "h1 h2", 1, subordinate_list="last.q"),
            queue("last.q", "h2", 1),
        ),
        [
            ("submit -q low.q; submit -q lower.q@h1; submit -q last.q", "1.1 2.1 3.1", True),
            ("arrive 1", "", False),
            ("submit -q high.q@h1; submit -q low.q", "4.1", True),
            ("", "", True),
            ("submit -q high.q@h1", "6.1", True),
            ("arrive 4; arrive 6; arrive 2", "", True),
            ("end 1", "", True),
            ("end 4", "", True),
            ("submit -q high.q@h2; submit -q lower.q@h2", "7.1 8.1", True),
            ("end 6", "5.1", True),
            ("end 2; end 3; submit -q last.q", "", True),
            ("end 8; end 7", "9.1", True),
            ("disable low.q@h1; submit -q low.q@h1", "", True),
            ("submit -q high.q@h1", "11.1", True),
            ("enable low.q@h1", "", True),
            ("end 11", "10.1", True),
        ],
    ),
    "slot-wise subordinates": (
        cluster(
            *OBJECTS,
            queue("high.q", "h1 h2", 4, subordinate_list="slots=3(low.q:1:sr,lower.q:2:lr)"),
            queue("low.q", "h1 h2", 4),
            queue("lower.q", "h1", 4),
        ),
        [
            ("submit -q low.q@h1; submit -q lower.q; submit -q low.q@h2", "1.1 2.1 3.1", True),
            ("arrive 1; arrive 2", "", False),
            ("submit -q high.q@h1; submit -q high.q@h1", "4.1 5.1", True),
            ("", "", False),
            ("submit -q high.q@h1", "6.1", True),
            ("submit -q low.q@h1; arrive 4", "7.1", True),
            ("end 4", "", False),
            ("end 5", "", False),
            ("end 6", "", False),
            ("submit -t 1-4 -q high.q@h2", "8.1 8.2 8.3 8.4", True),
            ("end 2; end 8.1; end 8.2", "", False),
        ],
    ),
    "a calendar": (
        cluster(
            *OBJECTS,
            config_object(Kind.CALENDAR, "break", {"calendar_name": "break", "week": f"mon-sun={BREAK}=suspended"}),
            queue("a.q", "h1", 1),
            queue("b.q", "h1", 2, calendar="break"),
        ),
        [
            ("submit -q b.q; submit -q a.q; submit", "1.1 2.1 3.1", True),
            ("arrive 1", "", False),
            ("", "", False),
            ("end 3; submit -q b.q; submit -q b.q", "", False),
            ("", "", False),
            ("", "4.1", True),
            ("", "", False),
            ("", "", False),
            ("arrive 4; end 1", "5.1", True),
            ("", "", False),
        ],
    ),
    "deleted": (
        cluster(*OBJECTS, queue("a.q", "h1", 2, pe_list="mpi"), scheduler(**TICKETS, weight_waiting_time="0.01")),
        [
            (
                "submit -t 1-3; submit -pe mpi 2; submit; submit -l lic=1 by bob; submit -l lic=9 by carl",
                "4.1 1.1",
                True,
            ),
            ("delete 3", "", False),
            ("delete 2", "", False),
            ("end 1.1; delete 5", "1.2", True),
            ("end 1.2; submit -l lic=1", "6.1", True),
            ("delete 1", "", False),
            ("submit; submit; end 4", "7.1", True),
            ("delete 8; end 6", "", False),
            ("submit by bob", "9.1", True),
        ],
    ),
    "held": (
        cluster(*OBJECTS, queue("a.q", "h1", 2)),
        [
            ("submit -l lic=9; submit -h; submit -l lic=8", "", True),
            ("", "", True),
            ("release 2", "2.1", True),
            ("", "", True),
            ("hold 1", "", True),
            ("hold 3", "", False),
            ("release 3", "", True),
        ],
    ),
    "room elsewhere": (
        cluster(
            *OBJECTS,
            config_object(Kind.CALENDAR, "break", {"calendar_name": "break", "week": f"mon-sun={BREAK}=off"}),
            queue("a.q", "h1 h2", 1),
            queue("b.q", "h1", 2, calendar="break"),
        ),
        [
            ("disable a.q@h2; submit -q a.q@h2", "", True),
            ("submit -q b.q", "", True),
            ("", "", True),
            ("", "", True),
            ("enable a.q@h2", "1.1", True),
            ("", "2.1", True),
            ("", "", False),
        ],
    ),
    "loads that come later": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 1), queue("b.q", "h2", 1, load_thresholds="np_load_avg=2")),
        [
            ("submit -q a.q@h1; submit -q a.q@h1", "1.1", True),
            ("load h1 1; submit -q a.q@h2; submit -q b.q", "3.1", True),
            ("load h2 1", "4.1", True),
            ("load h2 3", "", False),
            ("end 1; end 4; submit -q b.q", "2.1", True),
            ("load h2 1", "5.1", True),
        ],
    ),
    "adjusted loads": (
        cluster(
            *OBJECTS,
            queue("a.q", "h1 h2", 2, load_thresholds="np_load_avg=2"),
            scheduler(job_load_adjustments="np_load_avg=0.5", load_adjustment_decay_time="0:1:0"),
        ),
        [
            ("load h1 3; load h2 1.8; submit; submit", "1.1", True),
            ("", "", False),
            ("", "", False),
            ("", "2.1", True),
            ("submit", "", False),
            ("load h1 1", "3.1", True),
            ("end 1; submit -q a.q@h2; submit -q a.q@h1", "4.1 5.1", True),
            ("load h1 3", "", False),
            ("", "", False),
            ("", "", False),
        ],
    ),
    "what ends where nobody may start": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 2)),
        [
            ("submit -q a.q@h2 -t 1-4", "1.1 1.2", True),
            ("disable a.q@h2", "", True),
            ("end 1.1", "", True),
            ("", "", True),
        ],
    ),
    "urgencies beside a share tree": (
        cluster(*OBJECTS, queue("a.q", "h1", 1), sharetree(anna=10), scheduler(weight_urgency="1")),
        [
            ("submit; submit; submit -l lic=1; submit -l lic=2", "4.1", True),
            ("end 4", "3.1", True),
            ("end 3", "1.1", True),
        ],
    ),
    "a share tree without urgencies": (
        cluster(*OBJECTS, queue("a.q", "h1", 1), sharetree(anna=10), scheduler(weight_urgency="0")),
        [
            ("submit; submit -l lic=1; submit -p -9 -l lic=2", "1.1", True),
            ("end 1", "2.1", True),
            ("end 2", "3.1", True),
        ],
    ),
    "numbers of the start": (
        cluster(*OBJECTS, queue("a.q", "h1", 9, pe_list="mpi own"), scheduler(**TICKETS)),
        [
            ("submit -pe own 2; submit -pe mpi 2; submit by bob", "3.1 1.1 2.1", True),
            ("arrive 1; submit; submit by bob", "5.1 4.1", True),
            ("end 3; end 4; end 5", "", False),
            ("", "", False),
        ],
    ),
}
