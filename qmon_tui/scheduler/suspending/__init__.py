"""What makes queue instances and tasks stand still (lifecycle.md sections 4 to 6)."""
