"""What gives a text away that wants to steer whoever reads it later."""
