"""Everything that talks to a model: wires, profiles as data, prices, and the model in the app."""
