"""temporary"""
class Whole:
    def __init__(self,*a): pass
