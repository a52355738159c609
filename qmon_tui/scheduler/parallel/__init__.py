"""Where a parallel job fits: environments, slot ranges, the slots of one host after the other."""
