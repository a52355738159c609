"""What the qmaster does around a scheduling run."""
