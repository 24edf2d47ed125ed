"""Web pages read safely: fetched from public addresses only, bounded in every direction, text extracted by a library.

PageReader     reads a URL as a Page, or says in one line why not
read_pages     the pages of the best results of a search, as passages
passages_of    a page's passages for a query
"""

from calibrant.retrievers.pages.address import Allow, Resolver, is_public
from calibrant.retrievers.pages.page import Page, passages_of
from calibrant.retrievers.pages.reader import PageReader
from calibrant.retrievers.pages.reading import PAGES, read_page, read_pages

__all__ = ["PAGES", "Allow", "Page", "PageReader", "Resolver", "is_public", "passages_of", "read_page", "read_pages"]
