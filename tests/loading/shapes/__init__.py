"""Small folders as people's tools write them."""

from __future__ import annotations


def load_shapes():
    """Return every shape, in the order of the modules that define them."""
    from tests.loading.shapes import (  # noqa: F401
        answer_shapes,
        argilla_shapes,
        array_shapes,
        cell_shapes,
        doccano_shapes,
        headless_shapes,
        hugging_face_shapes,
        label_studio_shapes,
        picture_shapes,
        predicted_shapes,
        prodigy_shapes,
        research_shapes,
        service_shapes,
        shape_list,
        split_shapes,
        table_shapes,
        vision_shapes,
    )

    return shape_list.SHAPES
