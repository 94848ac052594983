"""What must not be repeated: credentials, and numbers and addresses that point at one person."""
