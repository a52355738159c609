"""Load values in a real qmaster: a real execd on localhost runs a load sensor that reports them for simulated hosts.

A load sensor may name any host (sge_execd(8), "host:name:value"), and the qmaster keeps what it was told for as long as
`max_unheard` lasts. So the execd runs only until the values have arrived, and nothing comes in later by itself. It adds
the execution host `localhost`, which is in no queue.
"""

import time
from collections.abc import Mapping

from tests.differential.qmaster import BINARIES, Qmaster, QmasterError

Loads = Mapping[str, Mapping[str, str]]
"""Host (or global) -> name -> reported text."""

EXECD = BINARIES / "sge_execd"
PACKAGE = "Debian's gridengine-exec"
SPOOL = "spool/execd"
REPORT_SECONDS = 20.0
SENSOR = """\
#!/bin/sh
while read line && [ "$line" != quit ]; do
  echo begin
  cat {values}
  echo end
done
"""
LOCAL_CONFIGURATION = """\
load_sensor {sensor}
load_report_time 0:0:1
execd_spool_dir {spool}
"""


def why_no_loads() -> str | None:
    """Why no load values can be reported here, or None."""
    return None if EXECD.exists() else f"no load values can be reported: {PACKAGE} is missing"


def report_loads(qmaster: Qmaster, loads: Loads) -> None:
    """Report these values, in this order, once; raises QmasterError where they do not arrive."""
    reason = why_no_loads()
    if reason:
        raise QmasterError(reason)
    lines = [f"{host}:{name}:{text}\n" for host, values in loads.items() for name, text in values.items()]
    values = qmaster.file("loads/values", "".join(lines))
    sensor = qmaster.file("loads/sensor", SENSOR.format(values=values))
    spool = qmaster.world.path(SPOOL)
    spool.mkdir(exist_ok=True)
    configuration = LOCAL_CONFIGURATION.format(sensor=sensor, spool=f"{qmaster.world.root}/{SPOOL}")
    qmaster.must("chmod", "755", sensor)
    known = "localhost" in qmaster.run("qconf", "-sconfl").out.split()
    qmaster.must("qconf", "-Mconf" if known else "-Aconf", qmaster.file("loads/localhost", configuration))
    with qmaster.running(EXECD):
        _wait(qmaster, loads)


def _wait(qmaster: Qmaster, loads: Loads) -> None:
    deadline = time.monotonic() + REPORT_SECONDS
    for host, values in loads.items():
        while not _has(qmaster, host, values):
            if time.monotonic() > deadline:
                raise QmasterError(f"the load values of {host} did not arrive: {qmaster.log()[-2000:]}")
            time.sleep(0.05)


def _has(qmaster: Qmaster, host: str, values: Mapping[str, str]) -> bool:
    shown = qmaster.must("qconf", "-se", host)
    reported = next((line.split(None, 1)[1] for line in shown.splitlines() if line.startswith("load_values")), "")
    return {f"{name}={text}" for name, text in values.items()} <= set(reported.split(","))
