"""Where a cluster lives on disk: reading, atomic saving, converting and watching a folder."""
