"""Runs in a row that plan ahead, as `rows_of_runs` has them."""

from collections.abc import Sequence

from qmon_tui.model import Cluster
from tests.unit.incremental.rows_of_runs import OBJECTS, Step
from tests.unit.scheduler.building import cluster, queue, scheduler

LARGE = "-R y -pe mpi 2 -l h_rt=100"
RESERVING: dict[str, tuple[Cluster, Sequence[Step]]] = {
    "reservations": (
        cluster(
            *OBJECTS, queue("a.q", "h1", 2, pe_list="mpi own"), scheduler(max_reservation=2, default_duration="1:0:0")
        ),
        [
            ("submit -l h_rt=600", "1.1", True),
            ("submit -R y -pe mpi 2 -l h_rt=100; submit -l h_rt=900; submit -l h_rt=100", "4.1", True),
            ("", "", True),
            ("", "", True),
            ("end 4", "", True),
            ("submit -l h_rt=500", "5.1", True),
            ("", "", True),
            ("end 1", "", True),
            ("end 5", "2.1", True),
            ("end 2", "3.1", True),
            ("", "", False),
            ("submit -R y -l lic=2,h_rt=50; submit -R y -l lic=2,h_rt=50", "6.1", True),
            ("end 3", "", True),
            ("", "", True),
            ("end 6", "7.1", True),
        ],
    ),
    "backfilled": (
        cluster(
            *OBJECTS,
            queue("a.q", "h1", 3, pe_list="mpi"),
            scheduler(max_reservation=1, default_duration="1:0:0", params="DURATION_OFFSET=0", weight_urgency="0"),
        ),
        [
            ("submit -l h_rt=600", "1.1", True),
            (
                f"submit -l h_rt=50; submit -p -200 {LARGE}; submit -p -400 -l h_rt=40; submit -p -600 -l h_rt=30",
                "2.1 4.1",
                True,
            ),
            ("end 2", "", True),
            ("end 4", "3.1", True),
            ("submit -p -700 -l h_rt=20; submit -p -800 -l h_rt=20; end 5", "", True),
            ("", "", True),
            ("end 3", "5.1 6.1", True),
        ],
    ),
    "reservations that are held": (
        cluster(*OBJECTS, queue("a.q", "h1", 1, pe_list="mpi"), scheduler(max_reservation=3, default_duration="1:0:0")),
        [
            ("submit -l h_rt=600; submit -R y; submit -R y -l h_rt=9", "1.1", True),
            ("", "", True),
            ("hold 2; hold 3", "", False),
            ("release 2; release 3", "", True),
            ("", "", True),
            ("disable a.q@h1", "", False),
            ("", "", False),
            ("enable a.q@h1", "", True),
            ("", "", True),
            ("alter 2 -ot 5", "", True),
            ("delete 2; hold 3", "", False),
            ("release 3", "", True),
            ("submit -R y -l h_rt=9; submit -R y -l h_rt=9", "", True),
            ("", "", True),
            ("end 1", "3.1", True),
        ],
    ),
    "kinds without a reservation": (
        cluster(*OBJECTS, queue("a.q", "h1", 1), scheduler(max_reservation=3, default_duration="1:0:0")),
        [
            ("submit -l h_rt=600; submit -R y -l lic=9; submit -R y -l lic=9; submit -R y -l lic=8", "1.1", True),
            ("", "", True),
            ("", "", True),
            ("submit -R y -l lic=9", "", True),
            ("delete 2; delete 3; delete 5", "", True),
            ("submit -R y -l lic=9", "", True),
            ("hold 6; end 1", "", True),
            ("release 6", "", True),
            ("", "", True),
        ],
    ),
    "a reservation before all others": (
        cluster(*OBJECTS, queue("a.q", "h1", 3, pe_list="mpi"), scheduler(max_reservation=1, weight_urgency="0")),
        [
            ("submit -pe mpi 2 -l h_rt=600", "1.1", True),
            (f"submit {LARGE}; submit -p -200 -l h_rt=50; submit -p -300 -l h_rt=9999", "3.1", True),
            ("end 3", "4.1", True),
        ],
    ),
    "a single one of its kind": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 3), scheduler(max_reservation=1)),
        [
            ("submit -q a.q@h2; submit -q a.q@h2", "1.1 2.1", True),
            ("disable a.q@h2; submit -q a.q@h2; submit -l lic=9", "", True),
            ("", "", True),
            ("end 1", "", True),
            ("", "", True),
            ("end 2", "", True),
            ("", "", True),
            ("", "", True),
        ],
    ),
    "kinds that were given up": (
        cluster(*OBJECTS, queue("a.q", "h1", 1), queue("b.q", "h2", 9), scheduler(max_reservation=3)),
        [
            ("submit -q a.q -l h_rt=600; disable a.q@h1", "", True),
            ("enable a.q@h1", "1.1", True),
            ("disable a.q@h1; submit -R y -q a.q -l h_rt=9; submit -R y -q a.q -l h_rt=9", "", True),
            ("enable a.q@h1", "", True),
            ("submit -R y -q a.q -l h_rt=9", "", True),
            ("end 1", "2.1", True),
        ],
    ),
}
