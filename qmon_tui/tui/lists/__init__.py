"""The list of all objects of one kind: which columns it has, how it is filtered and sorted, and its widget."""
