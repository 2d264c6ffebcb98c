"""The Quality page: what an audit proves about the labels, and whether to go on."""
