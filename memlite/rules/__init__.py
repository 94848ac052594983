"""Pure decisions: no clock, no files, no model."""
