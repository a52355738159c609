"""What the form of a hostgroup shows besides its fields."""
