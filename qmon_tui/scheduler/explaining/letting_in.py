"""Ways out where access lists keep a user out: of a queue instance, a host, a parallel environment."""

from collections.abc import Callable, Iterator

from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.compiled.access import Access
from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.compiled.eyes import as_qmaster
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.remedy import Reach, Remedy
from qmon_tui.values.lists import BLANK, COMMA, join_names, split_names

LISTED = 0.5
"""A name entered into a list, or taken out of it."""
OPENED = 0.8
"""A list emptied."""
Names = tuple[str, ...]


def let_in(
    found: Obstacles, access: Access, where: str, set_list: Callable[[str, Names, str], Remedy]
) -> Iterator[Remedy]:
    """The user gets into a list that is let in, or the list that keeps the user out goes; `set_list` sets one."""
    job = found.run_job.job
    # What the scheduler overlooks, the qmaster would refuse later.
    usersets = as_qmaster(found.run.compiled).usersets
    banned = [name for name in access.xuser_lists if name in usersets and usersets[name].contains(job.owner, job.group)]
    if banned:
        rest = tuple(name for name in access.xuser_lists if name not in banned)
        yield set_list("xuser_lists", rest, f"take {', '.join(banned)} out of the xuser_lists of {where}")
        return
    known = [name for name in access.user_lists if name in usersets and usersets[name].is_list]
    for name in known:

        def entered(world: Edited, _: int, name: str = name) -> Edited:
            obj = world.cluster.objects(Kind.USERSET)[name]
            entries = (*split_names(obj.text("entries"), COMMA), job.owner)
            sentence = f"enter {job.owner} into the access list {name}"
            return edits.object_field(world, obj, "entries", join_names(entries, COMMA), sentence)

        yield Remedy(f"userset {name}", Reach.GROUP, LISTED, entered)
    if access.user_lists:
        yield set_list("user_lists", (), f"let everybody use {where}: no user_lists")


def remedies_for_environments(found: Obstacles) -> Iterator[Remedy]:
    """For parallel environments none of which lets the job's owner in."""
    for environment in found.environments if found.is_barred else ():

        def set_list(
            field: str, names: tuple[str, ...], sentence: str, environment: Environment = environment
        ) -> Remedy:
            def changed(world: Edited, _: int) -> Edited:
                obj = world.cluster.objects(Kind.PE)[environment.name]
                return edits.object_field(world, obj, field, join_names(names, BLANK), sentence)

            return Remedy(f"{field} {environment.name}", Reach.GROUP, LISTED if names else OPENED, changed)

        yield from let_in(found, environment.access, f"parallel environment {environment.name}", set_list)
