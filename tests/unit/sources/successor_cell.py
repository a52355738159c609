"""A cell of Open Cluster Scheduler for the tests: its clients are scripts that print small files of our own."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from qmon_tui.formats import Layout, folder_texts
from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.model.state import State
from qmon_tui.sources.cells import Cell

VERSION: Final = "OCS 9.2.0 (310826-1201)"
CLUSTER: Final = """\
dialect: ocs-9
configuration: {global: {gdi_request_limits: none, mail_tag: none, binding_params: "implicit=false",
  finished_jobs_keep_time: "1:0:0", finished_jobs_max: "1000"}}
complexes: {gpu: {shortcut: gpu, type: RSMAP, relop: <=, requestable: YES, consumable: HOST, default: 0}}
hosts: {n1: {complex_values: "gpu=2(gpu0 gpu1)"}, n2: {}}
hostgroups: {"@exec_hosts": [n1, n2], "@allhosts": [n1, n2]}
usersets: {manager: {type: ACL, entries: root}, staff: {type: ACL, entries: amir}}
users: {amir: {delete_time: "1772449832799319"}}
pes: {mpi: {slots: 8, allocation_rule: $fill_up, ign_sreq_on_mhost: "FALSE"}}
queues: {all.q: {hostlist: "@allhosts", slots: 4, pe_list: mpi, user_lists: staff}}
"""
ROLE: Final = """\
name             ops
enabled          TRUE
user_list        staff
parent_role_list NONE
perm_list        NONE
"""
CATEGORIES: Final = "id  rcount  str\n1   2       -l h_rt=60\n"
JOBS: Final = """\
<?xml version='1.0'?>
<job_info xmlns:xsd="https://example.org/qstat.xsd">
  <queue_info>
    <job_list state="running">
      <JB_job_number>7</JB_job_number>
      <JAT_prio>0.55500</JAT_prio>
      <JB_name>deep</JB_name>
      <JB_owner>amir</JB_owner>
      <JB_project>NONE</JB_project>
      <state>r</state>
      <JAT_start_time>2026-03-14T13:45:31.248077</JAT_start_time>
      <queue_name>all.q@n1</queue_name>
      <slots>1</slots>
      <full_job_name>deep</full_job_name>
      <hard_request name="gpu" resource_contribution="0.000000">1</hard_request>
    </job_list>
  </queue_info>
  <job_info>
    <job_list state="pending">
      <JB_job_number>8</JB_job_number>
      <JAT_prio>0.00000</JAT_prio>
      <JB_name>wide</JB_name>
      <JB_owner>bea</JB_owner>
      <state>qw</state>
      <JB_submission_time>2026-03-14T13:46:00.999999</JB_submission_time>
      <slots>2</slots>
      <requested_pe name="mpi">2</requested_pe>
    </job_list>
  </job_info>
</job_info>
"""
DETAILS: Final = """\
<?xml version='1.0'?>
<detailed_job_info xmlns:xsd="https://example.org/detailed_job_info.xsd">
  <djob_info>
    <element>
      <JB_job_number>7</JB_job_number><JB_category_id>1</JB_category_id><JB_job_name>deep</JB_job_name>
      <JB_owner>amir</JB_owner><JB_submission_time>1773495451653513</JB_submission_time>
      <JB_priority>1024</JB_priority>
      <JB_request_set_list><element><JRS_scope>0</JRS_scope>
        <JRS_hard_resource_list><element><CE_name>gpu</CE_name><CE_stringval>1</CE_stringval></element>
        </JRS_hard_resource_list></element></JB_request_set_list>
      <JB_ja_structure><task_id_range><RN_min>1</RN_min><RN_max>1</RN_max><RN_step>1</RN_step></task_id_range>
      </JB_ja_structure>
      <JB_ja_tasks><element><JAT_task_number>1</JAT_task_number><JAT_status>128</JAT_status><JAT_state>128</JAT_state>
        <JAT_start_time>1773495931248077</JAT_start_time>
        <JAT_granted_destin_identifier_list><element><JG_qname>all.q@n1</JG_qname><JG_slots>1</JG_slots></element>
        </JAT_granted_destin_identifier_list></element></JB_ja_tasks>
    </element>
    <element>
      <JB_job_number>8</JB_job_number><JB_job_name>wide</JB_job_name><JB_owner>bea</JB_owner>
      <JB_submission_time>1773495960999999</JB_submission_time><JB_priority>1024</JB_priority>
      <JB_pe>mpi</JB_pe><JB_pe_range><ranges><RN_min>2</RN_min><RN_max>2</RN_max><RN_step>1</RN_step></ranges>
      </JB_pe_range>
    </element>
  </djob_info>
  <messages><element/></messages>
</detailed_job_info>
"""
INSTANCES: Final = """\
<?xml version='1.0'?>
<job_info xmlns:xsd="https://example.org/qstat.xsd">
  <queue_info>
    <Queue-List><name>all.q@n2</name><qtype>BIP</qtype><slots_used>0</slots_used><slots_resv>0</slots_resv>
      <slots_total>4</slots_total><load_avg>0.01</load_avg><arch>lx-amd64</arch><state>d</state></Queue-List>
  </queue_info>
  <job_info></job_info>
</job_info>
"""
HOSTS: Final = """\
<?xml version='1.0'?>
<qhost xmlns:xsd="https://example.org/qhost.xsd">
   <host name='global'><hostvalue name='arch_string'>-</hostvalue></host>
   <host name='n1'><hostvalue name='arch_string'>lx-amd64</hostvalue><hostvalue name='num_proc'>4</hostvalue>
      <resourcevalue name='np_load_avg' dominance='hl'>0.250000</resourcevalue></host>
</qhost>
"""
_QCONF: Final = """\
#!/bin/sh
cd {dump}
list() {{ set -- "$1"/*; [ -e "$1" ] && for f; do basename "$f"; done || {{ echo "no $1 defined" >&2; exit 1; }}; }}
while [ $# -gt 0 ]; do
  case "$1" in
    -help) echo "{version}" ;;
    -sconfl) list configurations ;; -sul) list usersets ;; -sprjl) list projects ;; -suserl) list users ;;
    -sel) list execution ;; -shgrpl) list hostgroups ;; -scall) list calendars ;; -sckptl) list ckpt ;;
    -spl) list pe ;; -sql) list cqueues ;; -srqsl) list resource_quotas ;; -srolel) list roles ;;
    -sc) cat centry ;; -ssconf) cat schedconf ;;
    -sstree) cat sharetree 2>/dev/null || {{ echo "no sharetree element" >&2; exit 1; }} ;;
    -sm) cat managers ;; -so) cat operators ;; -sh) cat admin_hosts ;; -ss) cat submit_hosts ;;
    -scatl) cat categories ;;
    -sconf) echo "#$2:"; cat "configurations/$2"; shift ;;
    -su) cat "usersets/$2"; shift ;; -suser) cat "users/$2"; shift ;; -se) cat "execution/$2"; shift ;;
    -shgrp) cat "hostgroups/$2"; shift ;; -sp) cat "pe/$2"; shift ;; -sq) cat "cqueues/$2"; shift ;;
    -sprj) cat "projects/$2"; shift ;;
    -srole) cat "roles/$2"; shift ;;
    *) echo "invalid option $1" >&2; exit 1 ;;
  esac
  shift
done
"""
_QSTAT: Final = """\
#!/bin/sh
cd {dump}/../answers
case "$*" in
  -help) echo "{version}" ;;
  -j*) cat details.xml ;;
  -f*) cat instances.xml ;;
  *) cat jobs.xml ;;
esac
"""
_QHOST: Final = """\
#!/bin/sh
[ "$1" = -help ] && echo "{version}" || cat {dump}/../answers/hosts.xml
"""


def dump_texts() -> dict[str, str]:
    """Return the files that save_sge_config.sh writes of the cell, with a role and the categories."""
    cluster = read_texts(Layout.YAML, "ocs", {"c.yaml": CLUSTER}).cluster
    texts = folder_texts(Layout.QCONF, replace(cluster), State())
    return {**texts, "roles/ops": ROLE, "categories": CATEGORIES}


def successor_cell(folder: Path) -> Cell:
    """Write a cell below a folder and return it."""
    root, dump, answers = folder / "root", folder / "dump", folder / "answers"
    for file, text in dump_texts().items():
        (dump / file).parent.mkdir(parents=True, exist_ok=True)
        (dump / file).write_text(text)
    answers.mkdir()
    for name, text in (("jobs", JOBS), ("details", DETAILS), ("instances", INSTANCES), ("hosts", HOSTS)):
        (answers / f"{name}.xml").write_text(text)
    clients, common = root / "bin", root / "default/common"
    clients.mkdir(parents=True)
    common.mkdir(parents=True)
    (common / "bootstrap").write_text(f"binary_path             {clients}\n")
    for name, script in (("qconf", _QCONF), ("qstat", _QSTAT), ("qhost", _QHOST)):
        place = clients / name
        place.write_text(script.format(dump=dump, version=VERSION))
        os.chmod(place, 0o755)
    return Cell(str(root))
