"""The share tree with its tasks and usage: who is entitled to what, with everybody and with running tasks only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from qmon_tui.model.state import PastUsage
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.sharetree import UsagePolicy
from qmon_tui.scheduler.jobs import Account, RunJob
from qmon_tui.scheduler.split import has_just_finished
from qmon_tui.scheduler.tickets.refs import Ref
from qmon_tui.scheduler.tickets.targets import set_targets
from qmon_tui.scheduler.tickets.tree import Node, ShareTree
from qmon_tui.scheduler.tickets.usage import set_usage


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a node stands with all running and pending tasks."""

    pending: int = 0
    running: int = 0
    long_term: float = 0.0
    target: float = 0.0

    def plus(self, other: "Standing") -> "Standing":
        """Both together."""
        return Standing(
            self.pending + other.pending,
            self.running + other.running,
            self.long_term + other.long_term,
            self.target + other.target,
        )


@dataclass(slots=True)
class Sharing:
    """The tree of one run."""

    tree: ShareTree
    usage: PastUsage
    policy: UsagePolicy
    standings: Mapping[Node, Standing] = field(default_factory=dict)
    """Of the first pass, which decides about pending tasks."""
    _nodes: dict[tuple[int, int], Node | None] = field(default_factory=dict)
    """User's and project's accounts, by id -> the node of their tasks."""

    def enter(self, running: Sequence[Ref], pending: Sequence[Ref]) -> None:
        """Put all tasks on their nodes, and work out what each node is entitled to."""
        for ref in (*running, *pending):
            ref.node = self._node_of(ref.accounts[0], ref.accounts[1])
        set_usage(self.tree, self.usage, self.policy)
        self._entitle(running, pending)
        self.standings = {
            node: Standing(node.pending, node.running, node.long_term, node.target) for node in self.tree.nodes
        }

    def leave_running(self, running: Sequence[Ref]) -> None:
        """Work it out again as if no task were pending."""
        self._entitle(running, ())

    def _entitle(self, running: Sequence[Ref], pending: Sequence[Ref]) -> None:
        self.tree.count(running, pending)
        set_targets(self.tree, self.policy.compensation)

    def note_finished(self, jobs: Iterable[RunJob]) -> None:
        """Let the users of jobs that have just finished have their nodes beside `default`, where usage is added up."""
        for run_job in jobs:
            tasks = run_job.job.tasks
            if tasks and any(has_just_finished(task.state) for task in tasks.values()):
                self._node_of(*run_job.accounts[:2])

    def _node_of(self, user: Account | None, project: Account | None) -> Node | None:
        key = (id(user), id(project))
        if key not in self._nodes:
            self._nodes[key] = self.tree.node_of(
                user.entitlement.name if user is not None else None,
                project.entitlement.name if project is not None else None,
            )
        return self._nodes[key]


def share_tree_of(compiled: Compiled, usage: PastUsage, jobs: Iterable[RunJob]) -> Sharing | None:
    """The share tree of a cluster; None where there is none."""
    if not compiled.share_tree:
        return None
    sharing = Sharing(ShareTree(compiled.share_tree), usage, compiled.policy.tickets.usage)
    sharing.note_finished(jobs)
    return sharing
