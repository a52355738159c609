"""The panel "Effective" of a configuration: what holds on the host, and where it comes from."""

from qmon_tui.model import GLOBAL, Kind, effective_configuration
from qmon_tui.report import SETTING_COLUMNS, setting_rows
from qmon_tui.tui.base import JumpRequested, TablePanel
from qmon_tui.workspace import Workspace


class EffectiveView(TablePanel):
    """A row per setting; Enter goes to the field that decides."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, SETTING_COLUMNS)

    def refresh_from(self) -> None:
        host, cluster = self.object_name, self.workspace.cluster
        if host is not None:
            self.fill(setting_rows(cluster, host, effective_configuration(cluster, host)))
            self.draw_about()

    def opened(self, key: str) -> None:
        settings = effective_configuration(self.workspace.cluster, self.object_name or GLOBAL)
        origin = next((setting.origin for setting in settings if setting.field == key), "")
        self.post_message(JumpRequested(Kind.CONFIGURATION, origin or self.object_name or GLOBAL, key))
