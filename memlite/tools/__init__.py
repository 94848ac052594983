"""Memory as tools of a chat model: four functions with JSON schemas that are forgiving about how a model writes its arguments.

What was asked for in a way that can't be done comes back as `{"error": …}` in words, since a model reads it and tries again. The
texts of memories are only ever the values of fields: data, whatever they say.
"""

from memlite.tools.calls import Tools, tools

__all__ = ["Tools", "tools"]
