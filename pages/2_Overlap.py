"""Pairs of classes that mean nearly the same: examples, the effect of a merge, and a decision."""

from curation import ui
from curation.ui.overlap import class_decisions, pair_choice, pair_detail
from curation.ui.overlap.merge_preview import show_preview
from curation.ui.overlap.overlap_graph import show_map
from curation.ui.overlap.pair_table import show_table
from curation.ui.shell.curator_name import current_curator
from curation.ui.shell.page_store import current_store
from curation.ui.shell.polling import rerun_if_waiting

given = ui.setup("Overlap")
frame = pair_choice.show_title(given)
pair_choice.show_heading(frame)

store = current_store(given)
decided = class_decisions.read_decided(store)
view = pair_choice.choose_view(frame)
pair = pair_choice.choose_pair(frame, view)
if view.shape == "map":
    show_map(frame, view, pair)
else:
    show_table(frame, view, pair, decided)

if pair is not None:
    pair_detail.show_header(frame, pair)
    pair_detail.show_examples(frame, pair)
    show_preview(frame, pair)
    class_decisions.show_decision(frame, store, current_curator(), pair, decided)
rerun_if_waiting()
