"""What is remembered over conversations: facts of the person, notes of projects, to-do items."""
