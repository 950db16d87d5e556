"""From listed pages to the files of the protocol, and to the disk: one room that writes.

Knows no generator.
"""
