"""The global and host configuration, with the values that Debian's package installs.

Source: sge_conf(5), configuration.md#fields. Any subset of the fields may be given.
"""

from functools import partial

from qmon_tui.model.catalogue.queues import SHELL_START_MODES
from qmon_tui.model.fields import Field, KindSpec, ValueType
from qmon_tui.model.kinds import Kind

LOG_LEVELS = ("log_crit", "log_err", "log_warning", "log_notice", "log_info", "log_debug")

_field = partial(Field, source="sge_conf(5)")
_daemon = partial(Field, source="sge_conf(5)", type=ValueType.STRING, default="builtin", group="Remote start")
_false_true = partial(Field, source="sge_conf(5)", type=ValueType.CHOICE, choices=("false", "true"))

_DAEMON = "Execution daemon"
_ACCESS = "Access"
_LIMITS = "Limits"
_USERS = "Automatic users"
_PARAMETERS = "Parameters"
_TOKENS = "Tokens"
_SUBMISSION = "Submission"
_text = partial(_field, type=ValueType.STRING, default="none")
_count = partial(_field, type=ValueType.UNSIGNED, default="0", group=_LIMITS)
_usersets = partial(_field, type=ValueType.NAMES, default="none", group=_ACCESS, refers_to=Kind.USERSET)
_projects = partial(_field, type=ValueType.NAMES, default="none", group=_ACCESS, refers_to=Kind.PROJECT)

CONFIGURATION = KindSpec(
    kind=Kind.CONFIGURATION,
    title="Configuration",
    yaml_key="configuration",
    folder="configurations",
    name_width=28,
    help="Settings of the whole cluster (global) and what single hosts set differently.",
    source="sge_conf(5)",
    fields=(
        _field(
            "execd_spool_dir",
            ValueType.PATH,
            "/var/spool/gridengine/execd",
            "Spool folder of the execution daemons; takes effect when they start.",
            _DAEMON,
        ),
        _field("mailer", ValueType.PATH, "/usr/bin/mail", "Program that sends mail to job owners."),
        _field("xterm", ValueType.PATH, "/usr/bin/xterm", "Terminal program that qsh opens."),
        _text("load_sensor", help="Programs that report site-specific load values.", group=_DAEMON),
        _text("prolog", help="Command before each job, unless its queue has one.", group=_DAEMON),
        _text("epilog", help="Command after each job, unless its queue has one.", group=_DAEMON),
        _field(
            "shell_start_mode",
            ValueType.CHOICE,
            "posix_compliant",
            "How job scripts start, unless the queue says otherwise.",
            _DAEMON,
            choices=SHELL_START_MODES,
        ),
        _text("login_shells", default="bash,sh,ksh,csh,tcsh", help="Shells started as login shells.", group=_DAEMON),
        _count("min_uid", default="1000", help="Lowest user number that may submit jobs.", group=_ACCESS),
        _count("min_gid", default="1000", help="Lowest group number that may submit jobs.", group=_ACCESS),
        _usersets("user_lists", help="Only members of these usersets may submit jobs."),
        _usersets("xuser_lists", help="Members of these usersets may not submit jobs."),
        _projects("projects", help="Only jobs of these projects are accepted, none without a project."),
        _projects("xprojects", help="Jobs of these projects are refused."),
        _false_true(
            name="enforce_project", default="false", help="true: jobs need a project (qsub -P).", group=_ACCESS
        ),
        _field(
            "enforce_user",
            ValueType.CHOICE,
            "auto",
            "true: only users that are configured may submit; auto: they are added by their first job.",
            _USERS,
            choices=("auto", "true", "false"),
        ),
        _field("load_report_time", ValueType.TIME, "00:00:40", "Time between two load reports of a host.", _DAEMON),
        _field("max_unheard", ValueType.TIME, "00:05:00", "Silence after which a host counts as unknown (u).", _DAEMON),
        _field(
            "reschedule_unknown",
            ValueType.TIME,
            "00:00:00",
            "Time after which restartable jobs of an unknown host run elsewhere; 0 for never.",
            _DAEMON,
        ),
        _field("loglevel", ValueType.CHOICE, "log_warning", "How much the daemons log.", choices=LOG_LEVELS),
        _text("administrator_mail", default="root", help="Where problem reports go; none for nowhere."),
        _text("set_token_cmd", help="Command that sets AFS tokens for jobs.", group=_TOKENS),
        _text("pag_cmd", help="Command that starts jobs in an AFS group (pagsh).", group=_TOKENS),
        _text("token_extend_time", help="How often AFS tokens are renewed.", group=_TOKENS),
        _text("shepherd_cmd", help="Program used in place of sge_shepherd.", group=_DAEMON),
        _text("qmaster_params", help="Further settings of the qmaster.", group=_PARAMETERS),
        _text("execd_params", help="Further settings of the execution daemons.", group=_PARAMETERS),
        _text(
            "reporting_params",
            default="accounting=true reporting=false flush_time=00:00:15 joblog=false sharelog=00:00:00",
            help="What is written to the accounting and reporting files, and how often.",
            group=_PARAMETERS,
        ),
        _field("finished_jobs", ValueType.UNSIGNED, "100", "Finished jobs that qstat -s z can show."),
        _field(
            "gid_range",
            ValueType.RANGES,
            "65400-65500",
            "Unused group numbers that mark the processes of jobs, one per job of a host.",
            _DAEMON,
        ),
        _daemon(name="qlogin_command", help="Client that qlogin starts; builtin for Grid Engine's own."),
        _daemon(name="qlogin_daemon", help="Server on the host for qlogin."),
        _daemon(name="rlogin_command", help="Client that qrsh without a command starts."),
        _daemon(name="rlogin_daemon", help="Server on the host for qrsh without a command."),
        _daemon(name="rsh_command", help="Client that qrsh with a command and slave tasks use."),
        _daemon(name="rsh_daemon", help="Server on the host for qrsh with a command and slave tasks."),
        _count("max_aj_instances", default="2000", help="Tasks of one array job that may run at a time."),
        _count("max_aj_tasks", default="75000", help="Tasks that an array job may have; 0 for any number."),
        _count("max_u_jobs", help="Unfinished jobs that a user may have; 0 for any number."),
        _count("max_jobs", help="Unfinished jobs in the cluster; 0 for any number."),
        _count("max_advance_reservations", help="Advance reservations; 0 for any number."),
        _count("auto_user_oticket", help="Override tickets of users added by themselves.", group=_USERS),
        _count("auto_user_fshare", help="Functional shares of users added by themselves.", group=_USERS),
        _field(
            "auto_user_default_project",
            ValueType.REFERENCE,
            "none",
            "Default project of users added by themselves.",
            _USERS,
            refers_to=Kind.PROJECT,
        ),
        _count(
            "auto_user_delete_time",
            default="86400",
            help="Seconds without jobs after which such a user is removed again; 0 for never.",
            group=_USERS,
        ),
        _false_true(
            name="delegated_file_staging",
            default="false",
            help="true: prolog and epilog copy the jobs' input and output files.",
            group=_DAEMON,
        ),
        _field(
            "reprioritize",
            ValueType.CHOICE,
            "0",
            "1: nice values of running jobs follow their tickets; tied to the scheduler's reprioritize_interval.",
            choices=("0", "1"),
        ),
        _text("jsv_url", help="Script that checks and changes every job submitted.", group=_SUBMISSION),
        _text(
            "jsv_allowed_mod",
            default="ac,h,i,e,o,j,M,N,p,w",
            help="qalter options that remain allowed while a jsv_url is set.",
            group=_SUBMISSION,
        ),
        _text("libjvm_path", default="", help="Java library for the qmaster's JMX thread.", group=_PARAMETERS),
        _text("additional_jvm_args", default="", help="Java arguments of the JMX thread.", group=_PARAMETERS),
    ),
)
