"""Benchmarks: what all dates of a folder cost, beside git itself, and what sitemaps cost.

Scripts, not tests. ``python -m benchmarks --help`` says what there is. They measure with
``wait4`` and ``getrusage``, so they run on Linux and macOS.
"""
