import pytest

from qmon_tui.values.names import name_problem
from tests.unit.values.recorded import recorded


@pytest.mark.parametrize(("name", "message"), recorded("object_names"))
def test_the_first_in_the_order_of_the_qmaster_is_named(name: str, message: str) -> None:
    assert name_problem(name) == message
