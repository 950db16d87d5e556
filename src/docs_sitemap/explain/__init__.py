"""What a build knows about its pages, recorded for ``explain``, and the explanation of a page's date.

``explanation`` is only for the command: builds do not import it.
"""
