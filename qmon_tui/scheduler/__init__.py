"""One scheduling run of Grid Engine 8.1.9, pure: cluster and state in, outcome out."""
