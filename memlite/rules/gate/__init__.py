"""The signs by which the quality gate and the importance bands know a sentence: one kind of sign a file, English and Chinese."""
