"""Does a request fit: one level at a time, in the words of qstat -j (matching.md#one-level-at-a-time)."""
