"""The main loop: pending jobs in their order, each as far as it goes."""
