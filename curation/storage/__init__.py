"""Object storage: addresses such as s3://bucket/folder, what may be read there, a local cache.

    remote_address    what an address means, and which ones are refused
    object_store      lists and reads objects; the only module that uses fsspec
    storage_health    stops asking a storage that does not answer, for a while
    cache_space       where files are kept on this machine, and how much room they may take
    picture_files     pictures that were fetched; the least recently shown goes first
    mirror_files      the copy of a folder, with its locks
    downloads         whole objects, in blocks
    mirror            a folder of a bucket as a folder of this machine
    grants            which mirrors a dataset may read while it is loaded

Nothing here reads an address unless a caller names it: what may be read is decided by whoever
calls `curation.load` or `curate`, or by the access file of a server, and never by the data.
"""
