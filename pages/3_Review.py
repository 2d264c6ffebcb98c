"""Decide about labels one by one, or many at once."""

from curation import ui
from curation.ui.review import page

frame = ui.setup("Review", counting=False)
page.show(frame)
