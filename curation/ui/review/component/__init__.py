"""The part of the review page that runs in the browser: its files, mounted as a component.

    review.html, review.css    what is on screen, still empty, and how it looks
    protocol.js                types of all messages; see curation/review/protocol.py
    main.js                    the function that Streamlit calls
    app.js                     takes in answers, walks through the queue; holds all that follows
    decisions.js               what a key or button means, and the operation that it becomes
    screen.js                  what is drawn now: one example, the grid, or that nothing is left
    history.js                 undo and redo
    disputes.js                answers that differ, side by side
    connection.js              when messages are sent, and when they are sent again
    operation_log.js           what was decided and is not answered yet, in the tab's storage
    queue.js                   the examples around the one on screen, and which comes next
    place_memory.js            where the curator is, for a reload and for the link
    keyboard.js                which key does what
    example_view.js            one example on the screen
    likeliest_classes.js, class_finder.js, typical_strips.js  its classes
    near_examples.js           the examples most like it
    feature_table.js, feature_words.js  the values of a row of a table against two classes
    annotation.js, action_bar.js  kind and note; the buttons
    swipe.js                   a finger that decides, on a narrow screen
    picture_view.js            smooth or sharp, size, light and contrast of pictures
    layers.js                  the enlarged picture, help and questions
    grid.js                    many examples on the screen
    bulk_decisions.js          one decision for all that are selected
    selection.js, drag_select.js which of them are selected
    notices.js                 progress, whether all is saved, what went wrong
    words.js, elements.js      sentences; HTML elements

bundle.py joins the modules into one, because Streamlit loads one.
"""

from __future__ import annotations

from pathlib import Path

from curation.review.protocol import Drawing
from curation.ui.review.component.bundle import make_component

FOLDER = Path(__file__).parent
KEY, WAKE = "review", "review-wake"


_component = make_component("curation_review", FOLDER, "review", "main.js")


def show(drawing: Drawing) -> None:
    """Show the component with what the browser needs to begin; it asks for the rest by itself."""
    _component(key=KEY, data=drawing)
