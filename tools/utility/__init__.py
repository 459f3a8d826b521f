"""Tools for small things of every day: sums, timers, languages."""
