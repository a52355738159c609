"""Ways out where access lists keep a user out: of a queue instance, a host, a parallel environment."""

from collections.abc import Callable, Iterator

from qmon_tui.explain import edits
from qmon_tui.explain.edits import CandidateChange, EditedCluster, Impact
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.configuration import Access, ParallelEnvironment, as_qmaster
from qmon_tui.values.lists import BLANK, COMMA, join_names, split_names

SIZE_OF_LIST_CHANGE = 0.5
"""A name entered into a list, or taken out of it."""
SIZE_OF_OPEN_ACCESS = 0.8
"""A list emptied."""
Names = tuple[str, ...]


def candidates_for_access(
    rejections: TaskRejections, access: Access, where: str, set_list: Callable[[str, Names, str], CandidateChange]
) -> Iterator[CandidateChange]:
    """The user gets into a list that is let in, or the list that keeps the user out goes; `set_list` sets one."""
    job = rejections.run_job.job
    # What the scheduler overlooks, the qmaster would refuse later.
    usersets = as_qmaster(rejections.run.compiled).usersets
    banned = [name for name in access.xuser_lists if name in usersets and usersets[name].contains(job.owner, job.group)]
    if banned:
        rest = tuple(name for name in access.xuser_lists if name not in banned)
        yield set_list("xuser_lists", rest, f"take {', '.join(banned)} out of the xuser_lists of {where}")
        return
    known = [name for name in access.user_lists if name in usersets and usersets[name].is_list]
    for name in known:

        def entered(edited: EditedCluster, _: int, name: str = name) -> EditedCluster:
            obj = edited.cluster.objects(Kind.USERSET)[name]
            entries = (*split_names(obj.text("entries"), COMMA), job.owner)
            sentence = f"enter {job.owner} into the access list {name}"
            return edits.object_field(edited, obj, "entries", join_names(entries, COMMA), sentence)

        yield CandidateChange(f"userset {name}", Impact.GROUP, SIZE_OF_LIST_CHANGE, entered)
    if access.user_lists:
        yield set_list("user_lists", (), f"let everybody use {where}: no user_lists")


def candidates_for_pe_access(rejections: TaskRejections) -> Iterator[CandidateChange]:
    """For parallel environments none of which lets the job's owner in."""
    for environment in rejections.environments if rejections.lacks_pe_access else ():

        def set_list(
            field: str, names: tuple[str, ...], sentence: str, environment: ParallelEnvironment = environment
        ) -> CandidateChange:
            def changed(edited: EditedCluster, _: int) -> EditedCluster:
                obj = edited.cluster.objects(Kind.PE)[environment.name]
                return edits.object_field(edited, obj, field, join_names(names, BLANK), sentence)

            return CandidateChange(
                f"{field} {environment.name}",
                Impact.GROUP,
                SIZE_OF_LIST_CHANGE if names else SIZE_OF_OPEN_ACCESS,
                changed,
            )

        yield from candidates_for_access(
            rejections, environment.access, f"parallel environment {environment.name}", set_list
        )
