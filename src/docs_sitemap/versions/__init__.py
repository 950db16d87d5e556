"""Trees that are already published: one index for their sites, and marks in the pages of old versions.

A module is imported by its own name, so that a build that marks its pages loads nothing of the rest.
"""
