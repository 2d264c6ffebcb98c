"""The first page: open a dataset, see how many of its labels look wrong, and where."""

from curation import ui
from curation.ui import classes, overview
from curation.ui.polling import look_again

frame = ui.setup("Overview", choosing=True)
ui.remember(frame.source)
frame = overview.show_head(frame)
overview.show_cards(frame)
overview.show_checks(frame)
overview.show_worst(frame)
overview.show_charts(frame)
classes.show_classes(frame)
overview.show_priors(frame)
look_again()
