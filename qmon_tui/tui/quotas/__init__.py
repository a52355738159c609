"""What the form of a quota set shows besides its fields: its rules, what is used of them, and a hit test."""
