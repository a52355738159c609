"""The parts of the main screen around list and form: header, kinds, live schedule, footer."""
