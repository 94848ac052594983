"""Programs built on the public interface."""
