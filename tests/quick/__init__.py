"""The tests that guard the change at hand, chosen by a map of which test runs which lines: `make quick`."""
