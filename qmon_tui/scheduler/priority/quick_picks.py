"""The picking of functional tickets with what a part brings worked out in one go.

The rule is `Picks`; sums and products are made in the same order here.
"""

from qmon_tui.scheduler.jobs import TicketHolder
from qmon_tui.scheduler.priority.functional_tickets import TENTATIVE, Picks
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef


class QuickPicks(Picks):
    """The same numbers as by the rule."""

    def value(self, ref: TaskRef) -> float:
        """What a task would get if it were next."""
        user, project, department = ref.ticket_holders
        sums, weights, total = self.sums, self.weights, self.total
        worth = 0.0
        if user is not None:
            worth = weights.user * self._tried(user, sums.user + TENTATIVE)
        if department is not None:
            worth += weights.department * self._tried(department, sums.department + TENTATIVE)
        if project is not None:
            worth += weights.project * self._tried(project, sums.project + TENTATIVE)
        own = ref.run_job.job.request.job_share
        if own:
            shares = float(own)
            worth += weights.job * (shares * total / (sums.job + TENTATIVE + shares))
        ref.tickets.functional = worth
        return worth + ref.accumulated if self.dependent else worth

    def _tried(self, holder: TicketHolder, tried: float) -> float:
        shares = holder.entitlement.functional_shares
        if not shares:
            return 0.0
        if self.shared:
            return shares / (holder.running + 1) * self.total / tried
        return shares * self.total / (tried + shares)

    def pick(self, ref: TaskRef, after: TaskRef | None) -> None:
        """Let a task count as running."""
        if after is not None:
            after.tickets.functional = ref.tickets.functional
        user, project, department = ref.ticket_holders
        sums, weights, total = self.sums, self.weights, self.total
        worth = 0.0
        if user is not None:
            shares, added = self._counted(user)
            sums.user += added
            worth = weights.user * (shares * total / sums.user) if sums.user else 0.0
        if department is not None:
            shares, added = self._counted(department)
            sums.department += added
            worth += weights.department * (shares * total / sums.department) if sums.department else 0.0
        if project is not None:
            shares, added = self._counted(project)
            sums.project += added
            worth += weights.project * (shares * total / sums.project) if sums.project else 0.0
        own = ref.run_job.job.request.job_share
        if own:
            shares = float(own)
            sums.job += shares
            worth += weights.job * (shares * total / sums.job) if sums.job else 0.0
        ref.tickets.functional = worth
        self.picked.append(ref)

    def _counted(self, holder: TicketHolder) -> tuple[float, float]:
        """What an account has with one task more, and what of that enters the sum."""
        holder.running = running = holder.running + 1
        shares = holder.entitlement.functional_shares
        if not self.shared:
            return shares, shares
        return shares / running, shares / running if running <= 1 else 0.0
