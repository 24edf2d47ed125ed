"""What the services answer, with the fields that their documentation names."""

from typing import Any

TAVILY: dict[str, Any] = {
    "query": "What is a semaphore in asyncio?",
    "follow_up_questions": None,
    "answer": None,
    "images": [],
    "results": [
        {
            "url": "https://docs.python.org/3/library/asyncio-sync.html#semaphore",
            "title": "Synchronization Primitives &amp; more",
            "content": "A semaphore in asyncio manages a counter which each acquire() call decrements.",
            "score": 0.91,
            "raw_content": None,
        },
        {
            "url": "https://example.org/blog",
            "title": "Unrelated",
            "content": "Gardening tips for spring.",
            "score": 0.2,
            "raw_content": None,
            "published_date": "Tue, 05 Mar 2024 08:00:00 GMT",
        },
    ],
    "response_time": 0.9,
    "request_id": "123e4567-e89b-12d3-a456-426614174111",
}

SEARXNG: dict[str, Any] = {
    "query": "asyncio semaphore",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://example.org/semaphore",
            "title": "Semáforos em asyncio",
            "content": "An asyncio <b>semaphore</b> limits concurrency.",
            "engine": "brave",
            "template": "default.html",
            "parsed_url": ["https", "example.org", "/semaphore", "", "", ""],
            "engines": ["brave", "mojeek"],
            "positions": [1, 2],
            "publishedDate": "2024-03-05T00:00:00",
            "score": 4.0,
            "category": "general",
        },
        {"url": "javascript:alert(1)", "title": "bad", "content": "semaphore"},
    ],
    "answers": [],
    "corrections": [],
    "infoboxes": [],
    "suggestions": [],
    "unresponsive_engines": [],
}

DUCKDUCKGO = """<!DOCTYPE html><html><body><div id="links" class="results">
<div class="result results_links results_links_deep result--ad result--ad--small"><div class="links_main">
<h2 class="result__title"><a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=x">Ad</a></h2></div></div>
<div class="result results_links results_links_deep web-result "><div class="links_main links_deep result__body">
<h2 class="result__title"><a rel="nofollow" class="result__a"
 href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fsemaphore%3Fa%3D1&amp;rut=0a1b">
Asyncio <b>semaphore</b></a></h2>
<a class="result__snippet" href="#">A <b>semaphore</b> limits   concurrency in asyncio.</a></div></div>
<div class="result results_links results_links_deep web-result "><div class="links_main links_deep result__body">
<h2 class="result__title"><a class="result__a" href="https://example.com/other">Other</a></h2>
<a class="result__snippet" href="#">Something else.</a></div></div>
</div></body></html>"""
DUCKDUCKGO_NONE = """<html><body><div id="links" class="results"><div class="result results_links result--no-result">
<div class="no-results">No results.</div></div></div></body></html>"""
DUCKDUCKGO_PUZZLE = """<html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js">
<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>"""

GITHUB_REPOSITORIES: dict[str, Any] = {
    "total_count": 2,
    "incomplete_results": False,
    "items": [
        {
            "id": 1,
            "name": "go-cache",
            "full_name": "patrickmn/go-cache",
            "owner": {"login": "patrickmn", "id": 2, "type": "User"},
            "html_url": "https://github.com/patrickmn/go-cache",
            "description": "An in-memory key:value store/cache library for Go.",
            "pushed_at": "2023-07-01T10:00:00Z",
            "updated_at": "2024-01-01T10:00:00Z",
            "stargazers_count": 8000,
            "language": "Go",
            "topics": ["cache", "go"],
            "default_branch": "master",
            "score": 1.0,
        },
        {
            "id": 3,
            "full_name": "other/cache",
            "owner": None,
            "html_url": "https://github.com/other/cache",
            "description": None,
            "pushed_at": None,
            "score": 1.0,
        },
    ],
}
GITHUB_README = """# go-cache

go-cache is an in-memory key:value cache similar to memcached.

## Usage

```go
c := cache.New(5*time.Minute, 10*time.Minute)
```
"""
GITHUB_CODE: dict[str, Any] = {
    "total_count": 1,
    "incomplete_results": False,
    "items": [
        {
            "name": "cache.go",
            "path": "pkg/cache.go",
            "sha": "d7212f9dee2dcc18f084d7df8f417b80846ded5a",
            "url": "https://api.github.com/repositories/1/contents/pkg/cache.go?ref=d7",
            "html_url": "https://github.com/acme/app/blob/d7/pkg/cache.go",
            "repository": {"id": 9, "full_name": "acme/app", "owner": {"login": "acme"}},
            "score": 1.0,
            "text_matches": [
                {
                    "object_url": "https://api.github.com/repositories/1/contents/pkg/cache.go?ref=d7",
                    "object_type": "FileContent",
                    "property": "content",
                    "fragment": "func NewCache(ttl time.Duration) *Cache {\n\treturn &Cache{}\n}",
                    "matches": [{"text": "Cache", "indices": [8, 13]}],
                }
            ],
        }
    ],
}

QUESTIONS: dict[str, Any] = {
    "items": [
        {
            "tags": ["python", "asyncio"],
            "owner": {"account_id": 1, "reputation": 10, "user_id": 1, "display_name": "Asker"},
            "is_answered": True,
            "accepted_answer_id": 22,
            "answer_count": 2,
            "score": 57,
            "creation_date": 1700000000,
            "question_id": 11,
            "link": "https://stackoverflow.com/questions/11/how-to-limit-concurrency",
            "title": "How to limit concurrency with asyncio &quot;semaphore&quot;?",
            "body": "<p>How do I limit it?</p>",
        },
        {
            "tags": ["python"],
            "owner": {"display_name": "Lonely &amp; Co"},
            "is_answered": False,
            "answer_count": 0,
            "score": 1,
            "creation_date": 1710000000,
            "question_id": 12,
            "link": "https://stackoverflow.com/questions/12/semaphore-unanswered",
            "title": "Semaphore unanswered",
            "body": "<p>Nobody knows how a semaphore works.</p>",
        },
    ],
    "has_more": False,
    "quota_max": 300,
    "quota_remaining": 297,
}
ANSWERS: dict[str, Any] = {
    "items": [
        {
            "owner": {"display_name": "Popular"},
            "is_accepted": False,
            "score": 90,
            "creation_date": 1700000100,
            "answer_id": 21,
            "question_id": 11,
            "body": "<p>Use gather.</p>",
        },
        {
            "owner": {"display_name": "José"},
            "is_accepted": True,
            "score": 80,
            "creation_date": 1700000200,
            "last_edit_date": 1700500000,
            "answer_id": 22,
            "question_id": 11,
            "body": (
                "<p>Use a semaphore of asyncio to limit concurrency:</p>"
                '<pre class="lang-py prettyprint-override"><code>sem = asyncio.Semaphore(10)\nasync with sem:\n'
                "    await fetch()\n</code></pre><ul><li>one</li><li>two &lt; three</li></ul>"
            ),
        },
    ],
    "has_more": False,
    "backoff": 3,
    "quota_max": 300,
    "quota_remaining": 296,
}

ARXIV = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <link href="http://arxiv.org/api/query?search_query%3Dall:electron" rel="self" type="application/atom+xml"/>
  <title type="html">ArXiv Query: search_query=all:electron</title>
  <id>http://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <updated>2024-10-08T00:00:00-04:00</updated>
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1000</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/abs/2310.11511v1</id>
    <updated>2023-10-17T18:18:32Z</updated>
    <published>2023-10-17T18:18:32Z</published>
    <title>Self-RAG: Learning to Retrieve,
  Generate, and Critique</title>
    <summary>  We introduce retrieval with self-reflection tokens &amp; critique.
</summary>
    <author><name>Akari Asai</name></author>
    <author><name>Zeqiu Wu</name></author>
    <author><name>Yizhong Wang</name></author>
    <author><name>Avirup Sil</name></author>
    <arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">30 pages</arxiv:comment>
    <link href="http://arxiv.org/abs/2310.11511v1" rel="alternate" type="text/html"/>
    <link title="pdf" href="http://arxiv.org/pdf/2310.11511v1" rel="related" type="application/pdf"/>
    <category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
  </entry>
  <entry><title>Without an id</title><summary>retrieval</summary></entry>
</feed>"""
ARXIV_ERROR = """<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><entry>
<id>http://arxiv.org/api/errors#incorrect_id_format_for_1234.12345</id><title>Error</title>
<summary>incorrect id format for 1234.12345</summary></entry></feed>"""

WIKIPEDIA: dict[str, Any] = {
    "batchcomplete": True,
    "query": {
        "pages": [
            {
                "pageid": 700,
                "ns": 0,
                "title": "Lock (computer science)",
                "index": 2,
                "extract": "In computer science, a lock is a synchronization primitive.",
                "contentmodel": "wikitext",
                "touched": "2024-10-01T00:00:00Z",
                "fullurl": "https://en.wikipedia.org/wiki/Lock_(computer_science)",
                "canonicalurl": "https://en.wikipedia.org/wiki/Lock_(computer_science)",
                "revisions": [{"timestamp": "2024-09-01T12:00:00Z"}],
            },
            {
                "pageid": 699,
                "ns": 0,
                "title": "Semaphore (programming)",
                "index": 1,
                "extract": "A semaphore is a variable used to control access to a common resource.",
                "fullurl": "https://en.wikipedia.org/wiki/Semaphore_(programming)",
                "canonicalurl": "https://en.wikipedia.org/wiki/Semaphore_(programming)",
                "revisions": [{"timestamp": "2024-08-01T12:00:00Z"}],
            },
        ]
    },
}
WIKIPEDIA_WHOLE: dict[str, Any] = {
    "batchcomplete": True,
    "query": {
        "pages": [
            {
                "pageid": 699,
                "ns": 0,
                "title": "Semaphore (programming)",
                "extract": (
                    "A semaphore is a variable used to control access.\n\n\n== History ==\n"
                    "The semaphore concept was invented by Dutch computer scientist Edsger Dijkstra in 1962.\n\n\n"
                    "=== Later ===\nIt spread."
                ),
            }
        ]
    },
}

YOUTUBE_DATA: dict[str, Any] = {
    "kind": "youtube#searchListResponse",
    "etag": "x",
    "pageInfo": {"totalResults": 1, "resultsPerPage": 5},
    "items": [
        {
            "kind": "youtube#searchResult",
            "etag": "y",
            "id": {"kind": "youtube#video", "videoId": "dQw4w9WgXcQ"},
            "snippet": {
                "publishedAt": "2023-05-01T12:00:00Z",
                "channelId": "UC1",
                "title": "Calibration &amp; confidence",
                "description": "A talk on calibration.",
                "channelTitle": "PyCon",
                "liveBroadcastContent": "none",
            },
        }
    ],
}
YOUTUBE_PAGE: dict[str, Any] = {
    "responseContext": {},
    "contents": {
        "twoColumnSearchResultsRenderer": {
            "primaryContents": {
                "sectionListRenderer": {
                    "contents": [
                        {
                            "itemSectionRenderer": {
                                "contents": [
                                    {
                                        "videoRenderer": {
                                            "videoId": "aaaaaaaaaaa",
                                            "title": {"runs": [{"text": "Calibration "}, {"text": "explained"}]},
                                            "ownerText": {"runs": [{"text": "Someone"}]},
                                            "publishedTimeText": {"simpleText": "3 years ago"},
                                            "detailedMetadataSnippets": [
                                                {"snippetText": {"runs": [{"text": "All about calibration"}]}}
                                            ],
                                        }
                                    },
                                    {"adSlotRenderer": {}},
                                    {"videoRenderer": {"videoId": "bbbbbbbbbbb", "title": {"simpleText": "Second"}}},
                                ]
                            }
                        }
                    ]
                }
            }
        }
    },
}
PLAYER: dict[str, Any] = {
    "playabilityStatus": {"status": "OK"},
    "captions": {
        "playerCaptionsTracklistRenderer": {
            "captionTracks": [
                {
                    "baseUrl": "https://www.youtube.com/api/timedtext?v=x&lang=en&kind=asr&fmt=srv3",
                    "name": {"runs": [{"text": "English (auto-generated)"}]},
                    "languageCode": "en",
                    "kind": "asr",
                    "isTranslatable": True,
                },
                {
                    "baseUrl": "https://www.youtube.com/api/timedtext?v=x&lang=en&fmt=srv3",
                    "name": {"runs": [{"text": "English"}]},
                    "languageCode": "en",
                    "isTranslatable": True,
                },
            ],
            "translationLanguages": [],
        }
    },
}
TRANSCRIPT = '<?xml version="1.0" encoding="utf-8" ?><transcript>{}</transcript>'
CAPTION = '<text start="{start}" dur="4.2">{text}</text>'

MKDOCS: dict[str, Any] = {
    "config": {"lang": ["en"], "separator": "[\\s\\-]+", "pipeline": ["stopWordFilter"]},
    "docs": [
        {"location": "", "title": "Home", "text": "Welcome."},
        {
            "location": "tutorial/deps/#sub",
            "title": "Dependencies &amp; injection",
            "text": "<p>Declare a <code>Depends</code> parameter to use dependency injection.</p>",
        },
        {"location": "release-notes/", "title": "Release notes", "text": "Fixed an injection bug."},
        {"location": None, "title": "broken", "text": "injection"},
    ],
}
SPHINX = (
    'Search.setIndex({"alltitles":{"Semaphore":[[1,"semaphore"]]},"docnames":["index","library/asyncio-sync"],'
    '"envversion":{"sphinx":61},"filenames":["index.rst","library/asyncio-sync.rst"],"indexentries":{},"objects":{},'
    '"objnames":{},"objtypes":{},"terms":{"semaphor":1,"limit":[0,1],"concurr":1},'
    '"titles":["Welcome","Synchronization Primitives"],"titleterms":{"primit":1,"synchron":1,"welcom":0}})'
)
SPHINX_PAGE = """<!DOCTYPE html><html><head><title>Sync</title></head><body><div class="sidebar">semaphore menu</div>
<div class="body" role="main"><section id="s"><h1>Synchronization Primitives<a class="headerlink" href="#s">¶</a></h1>
<p>Intro.</p><section><h2>Semaphore<a class="headerlink" href="#semaphore">¶</a></h2>
<p>A semaphore manages an internal counter and limits concurrency.</p></section></section></div></body></html>"""
