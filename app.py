"""The first page: open a dataset, see how many of its labels look wrong, and where."""

from curation import ui
from curation.ui.overview import class_table, sections
from curation.ui.shell.polling import look_again

frame = ui.setup("Overview", choosing=True)
ui.remember(frame.source)
frame = sections.show_head(frame)
sections.show_cards(frame)
sections.show_checks(frame)
sections.show_worst(frame)
sections.show_charts(frame)
class_table.show_classes(frame)
sections.show_priors(frame)
look_again()
