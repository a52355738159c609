"""What a folder says of its simulation becomes the settings of one."""

from qmon_tui.formats import Layout, read_texts
from qmon_tui.simulation import Settings, Simulator
from qmon_tui.simulation.settings import plan_findings

TEXT = """\
now: 2026-01-01T09:00:00
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
simulation:
  until: +2h
  start_delay: 5
  load: {virtual_free: {idle: 4G, per_request: -h_vmem}}
  commands:
  - {at: +90s, command: qmod -d all.q@h1}
  - {at: +95s, command: reboot}
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T09:00:00, qsub: -l h_vmem=1G sleep 60}
- {id: 2, owner: anna, submitted: 2026-01-01T09:03:00, qsub: sleep 60}
"""


def test_a_folder_says_how_it_is_simulated() -> None:
    contents = read_texts(Layout.YAML, "cluster", {"cluster.yaml": TEXT})
    cluster, state = contents.cluster, contents.state
    simulator = Simulator(cluster, state, Settings.of(cluster, state))
    simulator.step()
    simulator.step()
    assert simulator.records[1, 1].started == state.now
    simulator.run()
    assert simulator.now == state.now + 7200
    assert simulator.records[1, 1].ended == state.now + 65
    assert simulator.records[2, 1].started is None
    (finding,) = plan_findings(cluster, state)
    assert (finding.file, finding.line) == ("cluster.yaml", 9)
    assert '"reboot" is not a command' in finding.message


def test_a_reservation_that_nobody_asks_for_is_told() -> None:
    texts = [TEXT.replace("command: reboot", f"command: qrsub -d 600{owner}") for owner in ("", ", owner: root")]
    nobody, root = (read_texts(Layout.YAML, "cluster", {"cluster.yaml": text}) for text in texts)
    (finding,) = plan_findings(nobody.cluster, nobody.state)
    assert finding.line == 9
    assert finding.message == 'no owner is given for "qrsub -d 600": the qmaster would deny it'
    assert list(plan_findings(root.cluster, root.state)) == []


def test_load_values_of_no_attribute_are_told() -> None:
    load = "{np_load_avgg: {per_slot: 1}, mem_free: {per_request: -h_vmen}, hosts: {h1: {mem_used: {}, swap: {}}}}"
    text = TEXT.replace("{virtual_free: {idle: 4G, per_request: -h_vmem}}", load).replace("reboot", "qdel 1")
    contents = read_texts(Layout.YAML, "cluster", {"cluster.yaml": text})
    assert [finding.message for finding in plan_findings(contents.cluster, contents.state)] == [
        'load: there is no attribute "swap", which is reported as a load value',
        'load: there is no attribute "np_load_avgg", which is reported as a load value',
        'load: there is no attribute "h_vmen", which mem_free follows',
    ]


def test_memory_that_jobs_ask_for_is_no_longer_free() -> None:
    contents = read_texts(Layout.YAML, "cluster", {"cluster.yaml": TEXT})
    settings = Settings.of(contents.cluster, contents.state)
    simulator = Simulator(contents.cluster, contents.state, settings)
    while simulator.now < contents.state.now + 41:
        simulator.advance()
    assert simulator.state.loads["h1"]["virtual_free"] == "3072.0M"
