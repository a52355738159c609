"""The catalogue against what qconf prints (formats.md#layouts and formats.md#reading-rules, DESIGN section 4)."""

import pytest

from qmon_tui.model.catalogue import single_name, spec, specs
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.fields import Separator, ValueType
from qmon_tui.model.kinds import Kind

# `qconf -sq` without an argument.
QUEUE_TEMPLATE = """
qname template|hostlist NONE|seq_no 0|load_thresholds np_load_avg=1.75|suspend_thresholds NONE|nsuspend 1
suspend_interval 00:05:00|priority 0|min_cpu_interval 00:05:00|processors UNDEFINED|qtype BATCH INTERACTIVE
ckpt_list NONE|pe_list make smp mpi|rerun FALSE|slots 1|tmpdir /tmp|shell /bin/sh|prolog NONE|epilog NONE
shell_start_mode posix_compliant|starter_method NONE|suspend_method NONE|resume_method NONE|terminate_method NONE
notify 00:00:60|owner_list NONE|user_lists NONE|xuser_lists NONE|subordinate_list NONE|complex_values NONE
projects NONE|xprojects NONE|calendar NONE|initial_state default|s_rt INFINITY|h_rt INFINITY|s_cpu INFINITY
h_cpu INFINITY|s_fsize INFINITY|h_fsize INFINITY|s_data INFINITY|h_data INFINITY|s_stack INFINITY|h_stack INFINITY
s_core INFINITY|h_core INFINITY|s_rss INFINITY|h_rss INFINITY|s_vmem INFINITY|h_vmem INFINITY
"""

# `qconf -ssconf` of Debian's package.
SCHEDULER = """
algorithm default|schedule_interval 0:0:15|maxujobs 0|queue_sort_method load|job_load_adjustments np_load_avg=0.50
load_adjustment_decay_time 0:7:30|load_formula np_load_avg|schedd_job_info true|flush_submit_sec 0
flush_finish_sec 0|params none|reprioritize_interval 0:0:0|halftime 168
usage_weight_list cpu=1.000000,mem=0.000000,io=0.000000|compensation_factor 5.000000|weight_user 0.250000
weight_project 0.250000|weight_department 0.250000|weight_job 0.250000|weight_tickets_functional 0
weight_tickets_share 0|share_override_tickets TRUE|share_functional_shares TRUE
max_functional_jobs_to_schedule 200|report_pjob_tickets TRUE|max_pending_tasks_per_job 50|halflife_decay_list none
policy_hierarchy OFS|weight_ticket 0.500000|weight_waiting_time 0.278000|weight_deadline 3600000.000000
weight_urgency 0.500000|weight_priority 0.000000|max_reservation 0|default_duration INFINITY
"""

# `qconf -sconf` of Debian's package.
CONFIGURATION = """
execd_spool_dir /var/spool/gridengine/execd|mailer /usr/bin/mail|xterm /usr/bin/xterm|load_sensor none|prolog none
epilog none|shell_start_mode posix_compliant|login_shells bash,sh,ksh,csh,tcsh|min_uid 1000|min_gid 1000
user_lists none|xuser_lists none|projects none|xprojects none|enforce_project false|enforce_user auto
load_report_time 00:00:40|max_unheard 00:05:00|reschedule_unknown 00:00:00|loglevel log_warning
administrator_mail root|set_token_cmd none|pag_cmd none|token_extend_time none|shepherd_cmd none
qmaster_params none|execd_params none
reporting_params accounting=true reporting=false flush_time=00:00:15 joblog=false sharelog=00:00:00
finished_jobs 100|gid_range 65400-65500|qlogin_command builtin|qlogin_daemon builtin|rlogin_command builtin
rlogin_daemon builtin|rsh_command builtin|rsh_daemon builtin|max_aj_instances 2000|max_aj_tasks 75000|max_u_jobs 0
max_jobs 0|auto_user_oticket 0|auto_user_fshare 0|auto_user_default_project none|auto_user_delete_time 86400
delegated_file_staging false|reprioritize 0|jsv_url none|jsv_allowed_mod ac,h,i,e,o,j,M,N,p,w
"""

ORDERS = {
    Kind.COMPLEX: "name shortcut type relop requestable consumable default urgency",
    Kind.HOST: "hostname load_scaling complex_values user_lists xuser_lists projects xprojects usage_scaling"
    " report_variables",
    Kind.HOSTGROUP: "group_name hostlist",
    Kind.PE: "pe_name slots user_lists xuser_lists start_proc_args stop_proc_args allocation_rule control_slaves"
    " job_is_first_task urgency_slots accounting_summary qsort_args",
    Kind.CKPT: "ckpt_name interface ckpt_command migr_command restart_command clean_command ckpt_dir signal when",
    Kind.CALENDAR: "calendar_name year week",
    Kind.USERSET: "name type fshare oticket entries",
    Kind.PROJECT: "name oticket fshare acl xacl",
    Kind.USER: "name oticket fshare delete_time default_project",
    Kind.QUOTA: "name description enabled limit",
}
WIDTHS = {"queue": 21, "host": 21, "pe": 18, "ckpt": 18, "calendar": 16, "userset": 7, "scheduler": 33}
WIDTHS |= {"configuration": 28, "quota": 12, "hostgroup": 0, "project": 0, "user": 0}


def lines(text: str) -> list[tuple[str, str]]:
    pairs = (line.partition(" ") for line in text.strip().replace("\n", "|").split("|"))
    return [(name, value) for name, _, value in pairs]


def declared(kind: Kind) -> list[tuple[str, str]]:
    return [(field.name, field.default) for field in spec(kind).fields]


def test_queue_as_the_template_of_qconf() -> None:
    # The template's own list of environments is one that a new cluster refuses.
    expected = [(name, "NONE" if name == "pe_list" else value) for name, value in lines(QUEUE_TEMPLATE)]
    assert declared(Kind.QUEUE) == expected


def test_scheduler_as_debian_installs_it() -> None:
    assert declared(Kind.SCHEDULER) == lines(SCHEDULER)


def test_configuration_as_debian_installs_it() -> None:
    unprinted = {"max_advance_reservations", "libjvm_path", "additional_jvm_args"}
    assert [pair for pair in declared(Kind.CONFIGURATION) if pair[0] not in unprinted] == lines(CONFIGURATION)


@pytest.mark.parametrize(("kind", "names"), ORDERS.items())
def test_order_of_fields(kind: Kind, names: str) -> None:
    assert [field.name for field in spec(kind).fields] == names.split()


def test_widths_of_the_name_column() -> None:
    assert {kind.value: spec(kind).name_width for kind in Kind if kind.value in WIDTHS} == WIDTHS


def test_places_in_a_folder_of_save_sge_config() -> None:
    folders = {kind.value: spec(kind).folder for kind in Kind}
    assert folders == {
        "complex": "centry", "queue": "cqueues", "host": "execution", "hostgroup": "hostgroups", "pe": "pe",
        "ckpt": "ckpt", "calendar": "calendars", "userset": "usersets", "project": "projects", "user": "users",
        "quota": "resource_quotas", "sharetree": "sharetree", "scheduler": "schedconf",
        "configuration": "configurations", "managers": "managers", "operators": "operators",
        "admin_hosts": "admin_hosts", "submit_hosts": "submit_hosts",
    }  # fmt: skip


def test_all_kinds_are_described_in_their_order() -> None:
    assert list(specs()) == list(Kind)
    assert len({described.yaml_key for described in specs().values()}) == len(Kind)


def test_groups_of_the_queue_form() -> None:
    assert spec(Kind.QUEUE).groups == (
        "General", "Execution", "Checkpointing", "Parallel environments", "Thresholds", "Limits", "Complexes",
        "Subordinates", "User access", "Project access", "Owners",
    )  # fmt: skip
    assert {field.group for field in spec(Kind.QUEUE).fields} == set(spec(Kind.QUEUE).groups)


def test_only_name_and_host_list_of_a_queue_are_the_same_on_all_hosts() -> None:
    assert [field.name for field in spec(Kind.QUEUE).fields if not field.per_host] == ["qname", "hostlist"]
    assert not any(field.per_host for kind in Kind if kind is not Kind.QUEUE for field in spec(kind).fields)


def test_separators() -> None:
    """values.md#separators: they differ per object."""
    blank = [(k.value, f.name) for k in Kind for f in spec(k).fields if f.separator is Separator.BLANK]
    comma = [(k.value, f.name) for k in Kind for f in spec(k).fields if f.separator is Separator.COMMA]
    lists = ("user_lists", "xuser_lists", "projects", "xprojects")
    expected = [("host", name) for name in lists] + [("hostgroup", "hostlist")]
    assert blank == [*expected, ("pe", "user_lists"), ("pe", "xuser_lists"), ("project", "acl"), ("project", "xacl")]
    assert comma == [
        ("host", "load_scaling"), ("host", "complex_values"), ("host", "usage_scaling"), ("host", "report_variables"),
        ("userset", "entries"), ("scheduler", "job_load_adjustments"), ("scheduler", "usage_weight_list"),
    ]  # fmt: skip


def test_every_field_helps_in_one_line() -> None:
    for kind in Kind:
        assert spec(kind).help
        for field in spec(kind).fields:
            assert field.help.endswith("."), (kind, field.name)
            assert "\n" not in field.help
            assert len(field.help) <= 110, (kind, field.name)
            assert field.source


def test_choices_have_their_default() -> None:
    for kind in Kind:
        for field in spec(kind).fields:
            if field.type is ValueType.CHOICE:
                assert field.default in field.choices, (kind, field.name)


def test_single_objects_have_defaults_without_being_there() -> None:
    for kind in Kind:
        if spec(kind).single:
            assert Cluster().single(kind) == config_object(kind, single_name(kind), {})
    assert Cluster().single(Kind.SCHEDULER).text("weight_urgency") == "0.500000"
    assert Cluster().single(Kind.MANAGERS).text("entries") == "root"
