"""Git for tools: the real program, without anything that a repository would let it run."""
