"""How the rules read two texts about one matter: what they share, what differs, and which of it must not be lost."""
