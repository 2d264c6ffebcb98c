"""Settle one label after the other, or many at once."""

from curation import ui
from curation.ui import review_page

frame = ui.setup("Review", counting=False)
review_page.show(frame)
