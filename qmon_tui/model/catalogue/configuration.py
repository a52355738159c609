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
        _field("load_sensor", ValueType.STRING, "none", "Programs that report site-specific load values.", _DAEMON),
        _field("prolog", ValueType.STRING, "none", "Command before each job, unless its queue has one.", _DAEMON),
        _field("epilog", ValueType.STRING, "none", "Command after each job, unless its queue has one.", _DAEMON),
        _field(
            "shell_start_mode",
            ValueType.CHOICE,
            "posix_compliant",
            "How job scripts start, unless the queue says otherwise.",
            _DAEMON,
            choices=SHELL_START_MODES,
        ),
        _field("login_shells", ValueType.STRING, "bash,sh,ksh,csh,tcsh", "Shells started as login shells.", _DAEMON),
        _field("min_uid", ValueType.UNSIGNED, "1000", "Lowest user number that may submit jobs.", _ACCESS),
        _field("min_gid", ValueType.UNSIGNED, "1000", "Lowest group number that may submit jobs.", _ACCESS),
        _field(
            "user_lists",
            ValueType.NAMES,
            "none",
            "Only members of these usersets may submit jobs.",
            _ACCESS,
            refers_to=Kind.USERSET,
        ),
        _field(
            "xuser_lists",
            ValueType.NAMES,
            "none",
            "Members of these usersets may not submit jobs.",
            _ACCESS,
            refers_to=Kind.USERSET,
        ),
        _field(
            "projects",
            ValueType.NAMES,
            "none",
            "Only jobs of these projects are accepted, none without a project.",
            _ACCESS,
            refers_to=Kind.PROJECT,
        ),
        _field(
            "xprojects",
            ValueType.NAMES,
            "none",
            "Jobs of these projects are refused.",
            _ACCESS,
            refers_to=Kind.PROJECT,
        ),
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
        _field("administrator_mail", ValueType.STRING, "root", "Where problem reports go; none for nowhere."),
        _field("set_token_cmd", ValueType.STRING, "none", "Command that sets AFS tokens for jobs.", _TOKENS),
        _field("pag_cmd", ValueType.STRING, "none", "Command that starts jobs in an AFS group (pagsh).", _TOKENS),
        _field("token_extend_time", ValueType.STRING, "none", "How often AFS tokens are renewed.", _TOKENS),
        _field("shepherd_cmd", ValueType.STRING, "none", "Program used in place of sge_shepherd.", _DAEMON),
        _field("qmaster_params", ValueType.STRING, "none", "Further settings of the qmaster.", _PARAMETERS),
        _field("execd_params", ValueType.STRING, "none", "Further settings of the execution daemons.", _PARAMETERS),
        _field(
            "reporting_params",
            ValueType.STRING,
            "accounting=true reporting=false flush_time=00:00:15 joblog=false sharelog=00:00:00",
            "What is written to the accounting and reporting files, and how often.",
            _PARAMETERS,
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
        _field(
            "max_aj_instances", ValueType.UNSIGNED, "2000", "Tasks of one array job that may run at a time.", _LIMITS
        ),
        _field(
            "max_aj_tasks", ValueType.UNSIGNED, "75000", "Tasks that an array job may have; 0 for any number.", _LIMITS
        ),
        _field(
            "max_u_jobs", ValueType.UNSIGNED, "0", "Unfinished jobs that a user may have; 0 for any number.", _LIMITS
        ),
        _field("max_jobs", ValueType.UNSIGNED, "0", "Unfinished jobs in the cluster; 0 for any number.", _LIMITS),
        _field("max_advance_reservations", ValueType.UNSIGNED, "0", "Advance reservations; 0 for any number.", _LIMITS),
        _field("auto_user_oticket", ValueType.UNSIGNED, "0", "Override tickets of users added by themselves.", _USERS),
        _field("auto_user_fshare", ValueType.UNSIGNED, "0", "Functional shares of users added by themselves.", _USERS),
        _field(
            "auto_user_default_project",
            ValueType.REFERENCE,
            "none",
            "Default project of users added by themselves.",
            _USERS,
            refers_to=Kind.PROJECT,
        ),
        _field(
            "auto_user_delete_time",
            ValueType.UNSIGNED,
            "86400",
            "Seconds without jobs after which such a user is removed again; 0 for never.",
            _USERS,
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
        _field("jsv_url", ValueType.STRING, "none", "Script that checks and changes every job submitted.", _SUBMISSION),
        _field(
            "jsv_allowed_mod",
            ValueType.STRING,
            "ac,h,i,e,o,j,M,N,p,w",
            "qalter options that remain allowed while a jsv_url is set.",
            _SUBMISSION,
        ),
        _field("libjvm_path", ValueType.STRING, "", "Java library for the qmaster's JMX thread.", _PARAMETERS),
        _field("additional_jvm_args", ValueType.STRING, "", "Java arguments of the JMX thread.", _PARAMETERS),
    ),
)
