"""Names of qmon's windows and the corresponding pages here: the palette finds pages by these names as well."""

from typing import Final, NamedTuple

from qmon_tui.model import Kind


class Whereabouts(NamedTuple):
    """A page by its id, else a kind of object, perhaps with a tab."""

    page: str = ""
    kind: Kind | None = None
    tab: str = ""


WINDOWS: Final[dict[str, Whereabouts]] = {
    "Job Control": Whereabouts("jobs"),
    "Submit Job": Whereabouts("jobs"),
    "Queue Control": Whereabouts("cluster"),
    "Cluster Queues": Whereabouts("cluster"),
    "Queue Instances": Whereabouts("cluster"),
    "Calendar Configuration": Whereabouts(kind=Kind.CALENDAR),
    "Complex Configuration": Whereabouts(kind=Kind.COMPLEX),
    "Host Configuration": Whereabouts(kind=Kind.HOST),
    "Administration Host": Whereabouts(kind=Kind.ADMIN_HOSTS),
    "Submit Host": Whereabouts(kind=Kind.SUBMIT_HOSTS),
    "Execution Host": Whereabouts(kind=Kind.HOST),
    "Host Groups": Whereabouts(kind=Kind.HOSTGROUP),
    "Queue Configuration": Whereabouts(kind=Kind.QUEUE),
    "User Configuration": Whereabouts(kind=Kind.USER),
    "Manager Configuration": Whereabouts(kind=Kind.MANAGERS),
    "Operator Configuration": Whereabouts(kind=Kind.OPERATORS),
    "Userset Configuration": Whereabouts(kind=Kind.USERSET),
    "Project Configuration": Whereabouts(kind=Kind.PROJECT),
    "Parallel Environment Configuration": Whereabouts(kind=Kind.PE),
    "Checkpointing Configuration": Whereabouts(kind=Kind.CKPT),
    "Scheduler Configuration": Whereabouts(kind=Kind.SCHEDULER),
    "Policy Configuration": Whereabouts(kind=Kind.SCHEDULER, tab="Weights"),
    "Ticket Overview": Whereabouts(kind=Kind.SCHEDULER, tab="Shares"),
    "Share Tree Policy": Whereabouts(kind=Kind.SHARETREE),
    "Functional Policy": Whereabouts(kind=Kind.SCHEDULER, tab="Shares"),
    "Override Policy": Whereabouts(kind=Kind.SCHEDULER, tab="Shares"),
    "Resource Quota Configuration": Whereabouts(kind=Kind.QUOTA),
    "Cluster Configuration": Whereabouts(kind=Kind.CONFIGURATION),
    "Advance Reservations": Whereabouts("reservations"),
}
