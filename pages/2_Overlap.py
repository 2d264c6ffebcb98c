"""Class pairs that mean nearly the same: which, what kind, what a merge would do; then decide."""

from curation import ui
from curation.ui import class_decisions, overlap, pair_detail
from curation.ui.deciding import current_curator, current_store
from curation.ui.merge_preview import show_preview
from curation.ui.overlap_map import show_map
from curation.ui.overlap_table import show_table
from curation.ui.polling import look_again

given = ui.setup("Overlap")
curator = current_curator()
frame = overlap.show_title(given)
overlap.show_heading(frame)

store = current_store(given)
decided = class_decisions.read_decided(store)
view = overlap.choose_view(frame)
pair = overlap.choose_pair(frame, view)
if view.shape == "map":
    show_map(frame, view, pair)
else:
    show_table(frame, view, pair, decided)

if pair is not None:
    pair_detail.show_header(frame, pair)
    pair_detail.show_examples(frame, pair)
    show_preview(frame, pair)
    class_decisions.show_decision(frame, store, curator, pair, decided)
look_again()
