"""The same analysis on many machines: what is counted is merged, and the rest stays where it is.

    shards           which rows are in which file or block, and how a worker opens them
    shard_tasks      what a worker does with one shard: measure, count, tally, write
    selection        the k-th largest of many groups, found by counting
    engine           tasks to a Dask cluster and their merged results back
    cluster_run      the whole way, from shards to a folder of findings
    written_findings that folder, read again

Nothing that has a row per example travels: workers write it to a folder that all of them see.
"""
