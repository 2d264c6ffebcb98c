"""Decide about labels one by one, or many at once."""

from curation import ui
from curation.ui.review import page
from curation.ui.shell.polling import rerun_if_waiting

frame = ui.setup("Review", counting=False)
page.show(frame)
rerun_if_waiting()
