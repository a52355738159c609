"""Modal screens: each answers one question, with the safe answer focused, and Esc always leaves everything as it is."""
