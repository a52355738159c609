"""What the forms of users, user sets and projects show besides their fields: who is in them, and what they have."""
