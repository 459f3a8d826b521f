"""Tables of other programs, row by row: delimited text, workbooks and OpenDocument sheets, filtered,
summarised and edited. Pure but for the file that is read and the one that is written; a file of ten million
rows takes no more memory than one of ten.
"""
