"""The first page: open a dataset, see how many of its labels look wrong, and where."""

from curation import ui
from curation.ui.overview import class_table, overview_cards, overview_charts
from curation.ui.shell import late_checks
from curation.ui.shell.polling import rerun_if_waiting

frame = ui.setup("Overview", choosing=True)
ui.remember(frame.source)
frame = overview_cards.show_head(frame)
overview_cards.show_cards(frame)
overview_cards.show_checks(frame)
overview_charts.show_worst(frame)
overview_charts.show_charts(frame)
class_table.show_classes(frame)
overview_charts.show_priors(frame)
late_checks.follow(frame.dataset)
rerun_if_waiting()
