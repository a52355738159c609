"""Four waves of jobs of which several end in one second, where chance decides what a parallel job has to wait for."""

from collections.abc import Iterator
from typing import Final

_JOBS: Final = """
    0 userb smp 3 1, 0 usera - 1 3, 0 userc - 1 3, 0 userc - 1 1, 0 userc - 1 12,
    0 userc - 1 12, 0 userc smp 3 1, 0 userc - 1 8, 0 userb mpi 3 3, 0 userb smp 2 5,
    0 usera - 1 8, 0 usera - 1 1, 0 usera smp 2 3, 12 userc smp 2 1, 12 usera mpi 3 5,
    12 userc mpi 2 5, 12 userb smp 2 3, 12 userb smp 2 12, 13 usera smp 3 3, 13 userc smp 3 5,
    13 userc smp 2 1, 13 usera mpi 2 3, 13 usera smp 3 5, 13 userc smp 2 12, 13 usera - 1 12,
    24 userb mpi 3 1, 24 usera - 1 8, 24 userc mpi 2 3, 24 userc mpi 2 12, 24 userc mpi 2 5,
    24 userc mpi 3 3, 24 userc - 1 1, 24 usera smp 3 3, 24 userb - 1 3, 24 usera mpi 2 1,
    24 userb - 1 1, 24 userb - 1 3, 24 userb mpi 3 3, 25 userc - 1 1, 36 usera - 1 12,
    36 usera - 1 8, 36 userb - 1 3, 36 userc smp 2 5, 36 usera - 1 12, 36 userb - 1 3,
    36 userc - 1 1, 36 usera smp 2 8, 36 userb - 1 5
"""
"""Second, owner, environment and slots, seconds of sleep."""

CLUSTER: Final = """\
hosts:
  global: {complex_values: lic=2}
  sim1: {complex_values: slots=4}
  sim2: {complex_values: slots=4}
  sim3: {complex_values: slots=4}
queues:
  a.q: {hostlist: sim1 sim2 sim3, slots: 2, pe_list: smp mpi, load_thresholds: NONE}
scheduler:
  {queue_sort_method: seqno, job_load_adjustments: NONE, load_formula: np_load_avg, max_reservation: 5,
   weight_tickets_functional: 100000, weight_waiting_time: 0}
pes:
  smp: {slots: 999, allocation_rule: $pe_slots}
  mpi: {slots: 999, allocation_rule: $fill_up}
complexes:
  lic: {shortcut: lic, type: INT, relop: <=, requestable: 'YES', consumable: 'YES', default: 0, urgency: 0}
"""


def wave_jobs() -> Iterator[tuple[int, str, str]]:
    """Yield the jobs of a workload; those that fit on no host are deleted at last."""
    never = []
    for number, line in enumerate(_JOBS.split(","), 1):
        at, owner, environment, slots, seconds = line.split()
        parallel = "" if environment == "-" else f"-pe {environment} {slots} -R y "
        yield int(at), owner, f"{parallel}-l h_rt=30 sleep {seconds}"
        if (environment, slots) == ("smp", "3"):
            never.append(str(number))
    yield 95, "root", f"qdel {' '.join(never)}"
