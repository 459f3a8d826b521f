"""Pages as an installed Chromium shows them: the program, the proxy of ours that it has to use, and its
remote control.
"""
