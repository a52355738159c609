"""What the form of a configuration shows besides its fields: what holds on a host, and where that comes from."""
