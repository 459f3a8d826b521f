"""Skills: instructions in folders, told to the model by a small index and loaded only when needed."""
