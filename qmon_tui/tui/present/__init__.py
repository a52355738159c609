"""What the screen says, as pure functions from outcomes and changes to lines of spans; nothing here knows Textual."""
