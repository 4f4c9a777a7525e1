"""Make the sample course (a PDF of at most twelve pages) from its Markdown: python packaging/sample_course/build.py"""

from __future__ import annotations

from pathlib import Path

import pymupdf
from markdown_it import MarkdownIt

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "resources" / "sample" / "plasma_membranes.pdf"
CREDIT = (
    "<p class='credit'>Adapted (shortened, without figures and exercises) from <i>Biology</i>, OpenStax College, "
    "chapter 5, "
    "© 2014 OpenStax College, licensed under Creative Commons Attribution 3.0 Unported (CC BY 3.0). "
    "Download the original for free at cnx.org.</p>"
)
STYLE = """
body { font-family: serif; font-size: 10pt; line-height: 1.3; }
h1 { font-size: 19pt; } h2 { font-size: 15pt; } h4 { font-size: 12pt; } h5 { font-size: 10.5pt; }
p.credit { font-size: 8pt; }
"""


def build() -> int:
    """Write the PDF; the number of its pages."""
    body = MarkdownIt().render((HERE / "plasma_membranes.md").read_text("utf-8"))
    title, rest = body.split("</h1>", 1)
    story = pymupdf.Story(html=f"{title}</h1>{CREDIT}{rest}", user_css=STYLE)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    writer = pymupdf.DocumentWriter(str(TARGET))
    page = pymupdf.paper_rect("a4")
    inside = pymupdf.Rect(56, 50, page.width - 56, page.height - 50)
    pages, more = 0, 1
    while more:
        device = writer.begin_page(page)
        more, _ = story.place(inside)
        story.draw(device)
        writer.end_page()
        pages += 1
    writer.close()
    document = pymupdf.open(TARGET)
    document.set_metadata({"title": "Structure and Function of Plasma Membranes", "author": "OpenStax College"})
    document.save(TARGET.with_suffix(".part"), garbage=4, deflate=True, no_new_id=True)
    document.close()
    TARGET.with_suffix(".part").replace(TARGET)
    return pages


if __name__ == "__main__":
    print(f"{TARGET.name}: {build()} pages")
