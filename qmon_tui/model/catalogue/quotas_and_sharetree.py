"""Resource quota sets and the share tree.

Source: sge_resource_quota(5), share_tree(5); quota-set.md#fields and sharetree.md#rules.
"""

from functools import partial

from qmon_tui.model.fields import Field, KindSpec, ValueType
from qmon_tui.model.kinds import Kind

_quota = partial(Field, source="sge_resource_quota(5)")

QUOTA = KindSpec(
    kind=Kind.QUOTA,
    title="Resource quotas",
    yaml_key="quotas",
    folder="resource_quotas",
    name_field="name",
    name_width=12,
    help="Sets of limits on what users, projects, environments, queues and hosts may use at a time.",
    source="sge_resource_quota(5)",
    fields=(
        _quota("name", ValueType.NAME, "template", "Name of the quota set."),
        _quota("description", ValueType.STRING, "NONE", "What the set is for."),
        _quota("enabled", ValueType.BOOLEAN, "FALSE", "FALSE: the set is kept but has no effect."),
        _quota(
            "limit",
            ValueType.RULES,
            "",
            "One rule a line, the first that matches a job counts: users {*} hosts @gpu to slots=10.",
            refers_to=Kind.COMPLEX,
        ),
    ),
)

SHARETREE = KindSpec(
    kind=Kind.SHARETREE,
    title="Share tree",
    yaml_key="sharetree",
    folder="sharetree",
    single=True,
    help="Long-term shares of users and projects: who used less than its share gets more tickets.",
    source="share_tree(5)",
    fields=(
        Field(
            "tree",
            ValueType.TREE,
            "",
            "The nodes as `qconf -sstree` prints them, each node followed by its subtrees; empty for no share tree.",
            source="share_tree(5)",
        ),
    ),
)
