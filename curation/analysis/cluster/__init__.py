"""The same analysis on many machines: what is counted is merged, and the rest stays where it is.

    cluster_sources  what can be analysed: a folder of shards, a list of them, a Dask array
    cluster_run      the whole way, from shards to a folder of findings
    engine           tasks to a Dask cluster and their merged results back
    shards           which rows are in which file or block, and how a worker opens them
    parquet_shards   those of them that are Parquet files
    shard_tasks      what a worker does with one shard: measure, count, tally, write
    selection        the k-th largest of many groups, found by counting
    findings_folder  the folder of findings, written and read again

Nothing that has a row per example travels: workers write it to a folder that all of them see.
"""
