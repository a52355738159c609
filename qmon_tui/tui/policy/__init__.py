"""What the form of the scheduler shows besides its fields: what the policies come to, and who has shares."""
