"""What the form of an execution host shows besides its fields: its values in the last run."""
