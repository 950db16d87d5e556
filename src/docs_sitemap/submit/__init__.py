"""Tell search engines what has changed, through IndexNow and Google's Search Console.

``reading`` reads sitemaps, and ``web`` sends all requests. No message contains a secret: no key, no token,
and no content of a credentials file.
"""
