"""What the graph does, step by step. A node is ``async def node(state, runtime) -> Update``, one a module.

    intake       opens a run                          synthesize   composes the answer from what the steps gave
    perceive     understands the request              reflect      reviews it, and keeps what was learnt
    reason       proposes strategies                  respond      renders it: the only exit
    branch       scores one strategy                  retrieval/   searches for a phase that needs to know more
    select       chooses the best                     ask_human    asks a person: the only place that waits for one
    act          judges the plan, wave by wave        salvage      answers with what there is when a node fails
    step         carries out one step of the plan

The other modules are what these share: ``deps`` and ``work`` (what a node works with), ``judging`` (from a score to a
decision), ``phrases`` (what is said to the user), and so on.
"""
