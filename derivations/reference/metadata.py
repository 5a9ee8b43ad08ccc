"""What the head of a page says to those who collect citations: meta elements, and JSON-LD."""

from __future__ import annotations

import json
from html import escape

from derivations.reference.citing import Citation


def head(cited: Citation) -> str:
    """Give the elements for the head of the page of an entry."""
    tags = [
        ("citation_title", f"{cited.title} ({cited.id})"),
        *(("citation_author", each) for each in cited.authors),
        ("citation_publication_date", f"{cited.released:%Y/%m/%d}"),
        ("citation_inbook_title", cited.whole),
    ]
    if cited.address:
        tags.append(("citation_public_url", cited.address))
    metas = (f'<meta name="{name}" content="{escape(content)}">' for name, content in tags)
    return "".join([*metas, f'<script type="application/ld+json">{_linked_data(cited)}</script>'])


def _linked_data(cited: Citation) -> str:
    data = {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "identifier": cited.id,
        "headline": cited.title,
        "author": [{"@type": "Organization", "name": each} for each in cited.authors],
        "datePublished": str(cited.released),
        "version": cited.version,
        "isPartOf": {"@type": "CreativeWork", "name": cited.whole},
        "description": cited.note,
    }
    if cited.address:
        data["url"] = cited.address
    # What would end the element, or begin a comment in it, is written as JSON writes any sign.
    return json.dumps(data, ensure_ascii=True).replace("<", "\\u003c").replace(">", "\\u003e")
