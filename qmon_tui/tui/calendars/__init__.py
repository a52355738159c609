"""What the form of a calendar shows besides its fields: the coming week as a picture, and the next changes."""
