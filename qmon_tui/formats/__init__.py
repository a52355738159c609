"""Text to model and back: qconf files, YAML folders, qsub lines. Knows no files on disk and no clock."""
