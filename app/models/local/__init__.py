"""The model in the app: weights that a person agreed to, and an engine in a child process that speaks Chat
Completions.
"""
