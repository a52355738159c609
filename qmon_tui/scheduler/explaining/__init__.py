"""The parts of an explanation, worked out only when somebody asks."""
