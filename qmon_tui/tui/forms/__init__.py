"""The form of one object, built from the catalogue, with its editors, pickers and helpers."""
