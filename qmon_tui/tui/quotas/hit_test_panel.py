"""The panel "Hit test" of quota sets: the rule of each set that matches a question, and why others do not."""

from qmon_tui.model import Job, Kind, queue_instances, rules_of
from qmon_tui.report import quota_hit_test
from qmon_tui.scheduler.configuration import QuotaSubject, compile_cluster, matches_pattern
from qmon_tui.scheduler.quotas import match_rules
from qmon_tui.tui.base import JumpRequested, TablePanel
from qmon_tui.tui.forms.dialogs import Pick, PickOne
from qmon_tui.tui.quotas.filter_dialog import Choice, hosts_of, users_of
from qmon_tui.workspace import Workspace

_FREE = ("user", "group")
_OPTIONAL = ("project", "pe", "group")


class HitTestView(TablePanel):
    """Rows of the question, then of the answer of each set, the shown set first."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, quota_hit_test.HIT_COLUMNS, show_head=False)
        self._asked: quota_hit_test.HitTestQuestion | None = None

    def refresh_from(self) -> None:
        cluster, result = self.workspace.cluster, self.workspace.result
        if self._asked is None:
            self._asked = self._first_question()
        asked = self._asked
        run = result.explainer.run if result and result.explainer else None
        compiled = run.compiled if run is not None and run.compiled.cluster is cluster else compile_cluster(cluster)
        quota_usage = run.quota_usage if run is not None and compiled is run.compiled else None
        subject = QuotaSubject(asked.user, asked.group, asked.project, asked.pe)
        verdicts = match_rules(
            compiled, subject, asked.queue, asked.host, quota_usage.qmaster_usage if quota_usage is not None else None
        )
        texts = {name: rules_of(obj.text("limit")) for name, obj in cluster.objects(Kind.QUOTA).items()}
        first = sorted(verdicts, key=lambda match: match.quota_set != self.object_name)
        self.grid.show_rows([*quota_hit_test.question_rows(asked), *quota_hit_test.verdict_rows(first, texts)])
        self.draw_about()

    # The question -----------------------------------------------------------------------------------------------

    def _first_question(self) -> quota_hit_test.HitTestQuestion:
        """Return the first pending job as a question, else the first user."""
        waiting = next((job for job in self.workspace.state.jobs if self._granted(job) is None), None)
        if waiting is not None:
            return self._of_job(waiting)
        cluster = self.workspace.cluster
        users = users_of(cluster, self.workspace.state)
        queue, host = next(iter(queue_instances(cluster)), ("", ""))
        return quota_hit_test.HitTestQuestion(users[0][0] if users else "", "", None, None, queue, host)

    def _of_job(self, job: Job) -> quota_hit_test.HitTestQuestion:
        cluster = self.workspace.cluster
        granted = self._granted(job)
        queue, _, host = (granted or "@".join(next(iter(queue_instances(cluster)), ("", "")))).partition("@")
        wanted = job.request.pe
        pes = cluster.objects(Kind.PE)
        pe = next((name for name in pes if wanted is not None and matches_pattern(wanted.name, name)), None)
        return quota_hit_test.HitTestQuestion(job.owner, job.group, job.request.project, pe, queue, host)

    def _granted(self, job: Job) -> str | None:
        result = self.workspace.result
        outcome = result.outcome.job(job.id) if result and result.outcome else None
        return next((place for task in outcome.tasks for place in task.granted), None) if outcome else None

    def pick_job(self) -> None:
        jobs = {str(job.id): job for job in self.workspace.state.jobs}

        def picked(number: str) -> None:
            self._asked = self._of_job(jobs[number])
            self.refresh_from()

        picks = [Pick(number, f"{job.owner}  {job.name}") for number, job in jobs.items()]
        PickOne("Ask about job", picks).ask(self.app, picked)

    def opened(self, key: str) -> None:
        """Change a part of the question, or go to the quota set."""
        what, _, rest = key.partition(":")
        if what == "ask":
            self._ask(rest)
        elif what in ("set", "rule"):
            self.post_message(JumpRequested(Kind.QUOTA, rest.split("/")[0], "limit"))

    def _ask(self, what: str) -> None:
        asked = self._asked
        if asked is None:
            return
        picks = [Pick(name, note) for name, note in self._choices(what)]
        if what in _OPTIONAL:
            picks.insert(0, Pick(quota_hit_test.NONE, "none"))

        def picked(value: str) -> None:
            self._asked = quota_hit_test.with_answer(asked, what, "" if value == quota_hit_test.NONE else value)
            self.refresh_from()

        PickOne(f"Ask for {what}", picks, getattr(asked, what) or quota_hit_test.NONE, free=what in _FREE).ask(
            self.app, picked
        )

    def _choices(self, what: str) -> tuple[Choice, ...]:
        cluster = self.workspace.cluster
        if what == "user":
            return users_of(cluster, self.workspace.state)
        if what == "group":
            return tuple(
                (group, "") for group in dict.fromkeys(job.group for job in self.workspace.state.jobs) if group
            )
        if what == "host":
            return hosts_of(cluster)
        kinds = {"project": Kind.PROJECT, "pe": Kind.PE, "queue": Kind.QUEUE}
        return tuple((name, "") for name in cluster.objects(kinds[what]))
