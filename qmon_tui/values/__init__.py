"""The grammar of Grid Engine values: numbers, patterns, ranges, lists, hosts, overrides. Knows nothing of objects."""
