"""Student's interval, against printed tables and by hand."""

from math import isinf, sqrt

import pytest

from qmon_tui.simulation.confidence import interval, student_quantile


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (9, 2.2622), (19, 2.0930), (30, 2.0423), (120, 1.9799)],
)
def test_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, abs=5e-5)
    assert student_quantile(0.5, freedom) == pytest.approx(0, abs=1e-9)


def test_an_interval_by_hand() -> None:
    found = interval([1.0, 2.0, 3.0, 6.0])
    half = 3.1824463 * sqrt((4 + 1 + 0 + 9) / 3) / 2
    assert (found.mean, found.low, found.high) == pytest.approx((3, 3 - half, 3 + half))
    assert found.is_nothing
    assert not interval([3.0, 3.1, 2.9, 3.0]).is_nothing


def test_one_number_has_no_bounds_and_none_has_no_mean() -> None:
    alone = interval([2.0])
    assert isinf(alone.half)
    assert not alone.is_known
    assert not alone.is_nothing
    assert interval([0.0]).is_nothing
    assert interval([0.0, 0.0]).is_nothing
    assert not interval([5.0, 5.0]).is_nothing
    with pytest.raises(ValueError, match="no values"):
        interval([])
