"""What can be done on the screen, and with which keys: actions, the keys of widgets, what refuses an action now."""
