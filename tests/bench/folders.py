"""A cluster written as a folder in qconf's layout."""

from pathlib import Path

from qmon_tui.formats.folder_writer import edited_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from tests.bench.large import job_lines


def write_qconf_folder(folder: Path, cluster: Cluster, state: State | None = None) -> None:
    """The cluster as `save_sge_config.sh` would have written it, with the jobs beside it where there are any."""
    for name, text in edited_texts(Layout.QCONF, {}, Cluster("large"), cluster).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text or "")
    if state is not None:
        (folder / "jobs.yaml").write_text("\n".join(job_lines(state)) + "\n")
