"""How many examples a test draws."""

from hypothesis import settings


def examples(many: int) -> settings:
    """So many where EXAMPLES=100 is said, as a whole: fewer in `make test`, more in `make drawn`."""
    return settings(max_examples=max(5, many * settings().max_examples // 100))
