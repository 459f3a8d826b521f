"""GitHub Copilot: signing in by a code, the short tokens, the models, and what each request needs (facts:
providers 1.1).
"""
