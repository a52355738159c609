"""Jobs, load values and queue states in a YAML file: the keys that are no configuration."""
