"""What the form of the share tree shows besides its text: all nodes with their numbers, and how usage is forgotten."""
