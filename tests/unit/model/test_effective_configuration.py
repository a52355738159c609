"""The settings that hold on a host."""

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.host_configuration import GLOBAL_ONLY, Setting, effective_configuration, hosts_that_differ
from qmon_tui.model.kinds import Kind

SITE = Cluster().with_objects(
    (
        config_object(Kind.CONFIGURATION, "global", {"mailer": "/bin/mail", "max_jobs": "10", "zlib": "1"}),
        config_object(Kind.CONFIGURATION, "h1", {"mailer": "/bin/mutt", "max_jobs": "5", "xterm": "/bin/st"}),
    )
)


def settings(host: str) -> dict[str, Setting]:
    return {setting.field: setting for setting in effective_configuration(SITE, host)}


def test_a_host_has_its_own_value_where_that_counts() -> None:
    found = settings("h1")
    assert found["mailer"] == Setting("mailer", "/bin/mutt", "h1")
    assert found["xterm"] == Setting("xterm", "/bin/st", "h1")
    assert found["max_jobs"] == Setting("max_jobs", "10", "global", "5")
    assert found["zlib"] == Setting("zlib", "1", "global")
    assert (found["prolog"].text, found["prolog"].origin) == ("none", "")


def test_a_host_without_a_configuration_has_the_global_one() -> None:
    assert effective_configuration(SITE, "h2") == effective_configuration(SITE, "global")


def test_who_differs() -> None:
    assert hosts_that_differ(SITE, "mailer") == (("h1", "/bin/mutt"),)
    assert hosts_that_differ(SITE, "prolog") == ()


def test_what_is_global_only_is_in_the_catalogue() -> None:
    assert set(spec(Kind.CONFIGURATION).by_name) >= GLOBAL_ONLY
