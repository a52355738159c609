"""The configuration as the scheduler uses it: every object with its values parsed, and what follows from them."""
