"""The place of the cluster: queues, hosts and what stands between them."""
