"""The Responses wire of OpenAI and of those who speak it."""
