"""What -w says (v, e, w, p) of jobs where hosts report load values, scale them, and compare them with thresholds."""

import re
from random import Random
from typing import Final

from tests.differential.families import loads
from tests.differential.scenarios import Scenario

WAYS: Final = ("v", "v", "p", "p", "e", "w")
_SUBMISSION: Final = re.compile(r"(?m)^(?P<times>\d+x )?(?P<before>[a-z]+:[a-z]+\$ qsub)")
_SEQ_NO: Final = re.compile('"seq_no": "[^"]*"')


def draw(random: Random) -> Scenario:
    """A scenario of the family `loads` in which most submissions ask first."""
    drawn = loads.draw(random)
    # Of the qmaster's threads each sorts by seq_no once, and then no more: which one answers nobody can tell.
    files = {name: _SEQ_NO.sub('"seq_no": "0"', text) for name, text in drawn.files.items()}

    def asked(found: re.Match[str]) -> str:
        if random.random() < 0.35:
            return found[0]
        return f"{found['before']} -w {random.choice(WAYS)}"

    return Scenario(drawn.name, files, _SUBMISSION.sub(asked, drawn.session))
