"""The site: static pages from reports, findings and the documentation (docs/site.md)."""
