"""How `rules/extract.py` reads a talk: from messages to sentences, clauses, statements and facts. English and Chinese."""
