"""Everything that uses Streamlit: page setup, kept settings, jobs, shared widgets."""

from curation.ui.shell.dataset_chooser import remember
from curation.ui.shell.setup import Frame, setup

__all__ = ["Frame", "remember", "setup"]
