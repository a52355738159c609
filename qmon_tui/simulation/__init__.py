"""What changes a cluster's state: the commands that people give to the qmaster."""
