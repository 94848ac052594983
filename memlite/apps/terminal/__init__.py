"""The parts of the command line: its commands, their options, and how results reach the screen."""
