"""The one place that knows SQLite."""
