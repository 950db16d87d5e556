"""Why a page has its date: what a build notes of its pages, and the answer that is made of it."""
