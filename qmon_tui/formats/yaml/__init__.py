"""The YAML folder: reading with exact scalars and places, editing one field without touching the rest."""
