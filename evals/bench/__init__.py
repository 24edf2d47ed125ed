"""The benchmarks: what things cost, in one run on one machine, as one table. See ``python -m calibrant.evals.bench``.

    startup     importing and ``--help``
    fanout      a retrieval over several sources of equal latency
    cache       a search that is in the cache on disk, against one that is not
    search      the knowledge base at 1,000 to 100,000 passages, by words and by meaning
    overhead    a whole run over what its services needed, and LangGraph's own floor
    threads     1, 10 and 100 threads at once in one process
    storage     checkpoints on disk, and going on after an interruption
    judges      every judgement without a model
    synthesis   composing an answer without a model

Each figure stands beside what it is compared with, what limits it, and how far from that limit it is: both were
measured in the same run, since absolute times say more about the machine. Nothing is asserted and nothing is a test.
"""
