"""The demonstration: what is done, and how it is shown."""
