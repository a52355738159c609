"""The engine without its fast paths, and moments on which it is compared with them."""
