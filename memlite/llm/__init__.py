"""Chat models: clients of local servers, the prompts, and what is made of the replies."""
