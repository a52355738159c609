"""What a real qconf printed and said, in one compressed file so that the tests need nothing else."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from qmon_tui.model.kinds import Kind

_FILE = Path(__file__).parents[2] / "data" / "formats" / "samples.json.gz"

KIND_OF_CAPTURE = {
    "scal": Kind.CALENDAR,
    "sckpt": Kind.CKPT,
    "sconf": Kind.CONFIGURATION,
    "se": Kind.HOST,
    "shgrp": Kind.HOSTGROUP,
    "sp": Kind.PE,
    "sprj": Kind.PROJECT,
    "sq": Kind.QUEUE,
    "ssconf": Kind.SCHEDULER,
    "su": Kind.USERSET,
    "suser": Kind.USER,
    "sc": Kind.COMPLEX,
    "srqs": Kind.QUOTA,
    "sstree": Kind.SHARETREE,
}
"""The option of qconf that printed a text -> what it shows."""


@cache
def samples() -> dict[str, Any]:
    """All recordings: captures, canonical, roundtrip, printed, wrapped, context, faults."""
    with gzip.open(_FILE, "rt", encoding="utf-8") as file:
        data: dict[str, Any] = json.load(file)
    return data
