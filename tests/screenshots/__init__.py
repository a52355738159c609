"""The pictures of the README, drawn from configs/: `make screenshots`."""
