"""What `./dev keywords` does at build time: proposing aliases and training the layer. Nothing here runs in the app."""
