"""What a model asks the person, and timers that ring."""
