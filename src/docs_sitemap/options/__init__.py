"""What a user may write: options, settings of pages, rules; their checks; and the configuration file.

Knows no page, no host and no file of a site.
"""
