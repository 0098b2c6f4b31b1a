"""Pages of Markdown as HTML, with their links turned to pages of the site."""

import posixpath
import re

from markdown_it import MarkdownIt

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


def anchor(heading):
    """Returns the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page_of(path):
    """Returns the page of a Markdown file: docs/fuzzing.html of docs/fuzzing.md."""
    return path.removesuffix(".md") + ".html"


def plain(inline):
    """Returns the text of an inline token without its marks."""
    return "".join(" " if child.type == "softbreak" else child.content for child in inline.children
                   if child.type in ("text", "code_inline", "softbreak"))  # fmt: skip


class Page:
    """One rendered page: its title, its HTML, and its sections for the search."""

    def __init__(self, path, text, known):
        self.path, self.known = path, known
        tokens = MARKDOWN.parse(text)
        self.title, self.sections = path, []
        taken = {}
        for token, following in zip(tokens, tokens[1:] + [None]):
            if token.type == "heading_open":
                self._head(token, plain(following), taken)
            elif token.type == "inline":
                self._turn_links(token)
                if self.sections:
                    self.sections[-1][2].append(plain(token))
            elif token.type == "fence" and self.sections:
                self.sections[-1][2].append(token.content)
        self.html = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
        for tag, by in (("<table>", '<div class="scroll" tabindex="0"><table>'), ("</table>", "</table></div>"),
                        ("<pre>", '<pre tabindex="0">')):  # fmt: skip
            self.html = self.html.replace(tag, by)

    def _head(self, token, title, taken):
        name = anchor(title)
        taken[name] = taken.get(name, -1) + 1
        token.attrSet("id", f"{name}-{taken[name]}" if taken[name] else name)
        if token.tag == "h1":
            self.title = title
        self.sections.append((title, token.attrGet("id"), []))

    def _turn_links(self, inline):
        """Keeps links to pages, and replaces links to other files of the project by their text."""
        opened = []
        for child in inline.children:
            if child.type == "image":  # a badge of a service: the page stays without a network
                child.type, child.tag = "text", ""
            if child.type == "link_open":
                opened.append(self._turn(child))
            elif child.type == "link_close" and not opened.pop():
                child.tag = "span"

    def _turn(self, link):
        target, _, fragment = link.attrGet("href").partition("#")
        if re.match(r"[a-z]+:", target) or not target:
            return True
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), target))
        path = path if path in self.known else posixpath.join(path, "README.md")
        if path in self.known:
            page = posixpath.relpath(page_of(path), posixpath.dirname(self.path) or ".")
            link.attrSet("href", page + (f"#{fragment}" if fragment else ""))
            return True
        link.tag, link.attrs = "span", {"class": "file", "title": posixpath.normpath(target)}
        return False
