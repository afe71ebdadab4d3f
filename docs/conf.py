"""The site of docs/, built by `make docs`: Markdown by MyST, every internal link checked."""

project = "rulesgraph"
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["*.ipynb"]
html_theme = "furo"
html_title = "rulesgraph"
html_show_sphinx = False
html_copy_source = False
# Headings are addresses, as on the pages of a repository.
myst_heading_anchors = 3
