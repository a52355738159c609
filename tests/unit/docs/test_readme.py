"""What the README shows is what the program does."""

import re
from pathlib import Path

from tests.readme import README, with_keys

ROOT = README.parent


def test_the_table_of_keys_is_that_of_the_registry() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == with_keys(text), "run: python -m tests.readme"


def test_every_picture_and_file_that_is_linked_is_there() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if not (ROOT / Path(target)).exists()] == []
