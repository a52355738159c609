"""Jobs as a run finds them: what they ask for, which of their tasks take part, which are alike."""
