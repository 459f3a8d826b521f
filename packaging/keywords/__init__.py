"""`./dev keywords`: proposing aliases and training the layer, at build time only."""
