"""Finding tools by plain words: a pure ranker, with no model, no network, no clock and no file of its own."""
