"""A little of `make fuzz` in every run: no damaged input breaks a reader, a check or the engine."""

from random import Random

import pytest

from tests.fuzz.damage import damaged
from tests.fuzz.readers import Reader, readers

INPUTS = 120


@pytest.mark.parametrize("reader", readers(), ids=lambda reader: reader.name)
def test_damage_is_answered(reader: Reader) -> None:
    random = Random(reader.name)
    for _ in range(max(5, INPUTS // reader.cost)):
        data = damaged(random, reader.corpus)
        try:
            reader.read(data)
        except reader.refuses:
            continue
