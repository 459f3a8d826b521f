"""Searching the web: what engines there are (data), how their answers are read and fused (pure), and who asks
them.
"""
