"""Embedding models, each an `Embedder`. Nothing heavy is imported before the first text is encoded."""
