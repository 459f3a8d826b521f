"""Reading of shell text: what a line would run and write, as far as that can be known for sure."""
