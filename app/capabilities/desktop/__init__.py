"""The person's desktop for tools, by the programs and services that it brings."""
