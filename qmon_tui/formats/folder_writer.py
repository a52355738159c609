"""All files of a cluster folder, written from nothing."""

from qmon_tui.formats.layout import LISTS, Layout, file_of
from qmon_tui.formats.qconf import new_file, write_complexes, write_list, write_sharetree
from qmon_tui.formats.state import state_text
from qmon_tui.formats.yaml import new_section, removed_lines
from qmon_tui.model import Cluster, ConfigObject, Kind, State, default_complexes, default_objects, recognised
from qmon_tui.model.catalogue import specs

JOBS_FILE = "jobs.yaml"


def folder_texts(layout: Layout, cluster: Cluster, state: State) -> dict[str, str]:
    """File -> text of a folder that describes the cluster and its state."""
    texts = _qconf(cluster) if layout is Layout.QCONF else _yaml(cluster)
    if cluster.dialect != recognised(cluster.kinds):
        texts["dialect.yaml"] = f"dialect: {cluster.dialect}\n"
    jobs = state_text(state)
    return {**texts, JOBS_FILE: jobs} if jobs else texts


def _qconf(cluster: Cluster) -> dict[str, str]:
    """Quota sets each in a file of their own, lines wrapped as qconf wraps them."""
    texts: dict[str, str] = {}
    for kind in specs():
        objects = cluster.objects(kind).values()
        if kind is Kind.COMPLEX:
            texts[file_of(kind, "")] = write_complexes(objects)
            continue
        for obj in objects:
            text = write_list(obj) if kind in LISTS else _single(obj, cluster.dialect)
            if text:
                texts[file_of(kind, obj.name)] = text
    return texts


def _single(obj: ConfigObject, dialect_name: str) -> str:
    if obj.kind is Kind.SHARETREE:
        return write_sharetree(obj)
    return new_file(obj, single_line=False, dialect_name=dialect_name)


def _yaml(cluster: Cluster) -> dict[str, str]:
    """A file for each kind; what a cluster has anyway is left out, and said where it is not there."""
    texts: dict[str, str] = {}
    defaults = {(obj.kind, obj.name): obj for obj in (*default_complexes(), *default_objects())}
    for kind, known in specs().items():
        objects = cluster.objects(kind)
        given = [obj for obj in objects.values() if not _is_default(obj, defaults.get((kind, obj.name)))]
        gone = [] if known.single else [name for k, name in defaults if k is kind and name not in objects]
        if given or gone:
            texts[known.yaml_key + ".yaml"] = new_section(kind, given) + removed_lines(gone)
    return texts


def _is_default(obj: ConfigObject, default: ConfigObject | None) -> bool:
    return default is not None and dict(obj.values) == dict(default.values)
