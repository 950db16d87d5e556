"""Options, page settings and rules, the checks of their values, and the configuration file.

Knows nothing about pages, hosts and the files of a site.
"""
