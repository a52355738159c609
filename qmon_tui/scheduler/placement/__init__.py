"""Where a job goes: the order of queue instances and the search among them (dispatch.md sections 7 and 8)."""
