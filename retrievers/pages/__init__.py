"""Web pages read safely: fetched from public addresses only, bounded in every direction, text extracted by a library.

PageReader     reads a URL as a Page, or says in one line why not
to_read        the results of a search whose pages are worth reading
read_page      the page behind one of them, as passages with a report
passages_of    a page's passages for a query
"""

from calibrant.retrievers.address import Allow, Resolver, is_public
from calibrant.retrievers.pages.page import Page, passages_of
from calibrant.retrievers.pages.reader import PageReader
from calibrant.retrievers.pages.reading import read_page, to_read

__all__ = ["Allow", "Page", "PageReader", "Resolver", "is_public", "passages_of", "read_page", "to_read"]
