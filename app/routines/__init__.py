"""Routines: when they are due, and the one outcome of each slot."""
