"""Telling search engines what has changed: IndexNow, and Google's Search Console.

``reading`` and ``changes`` find out what, ``batches`` who gets it, ``web`` is the only way out, and
``answers`` says what came back. No secret ever stands in a message: not a key, not a token, not what
a credentials file contains.
"""
