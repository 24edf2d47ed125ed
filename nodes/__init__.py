"""What the graph does, step by step. A node is ``async def node(state, runtime) -> Update``, one a module.

    intake       opens a run                          synthesize   composes the answer from what the steps gave
    perceive     understands the request              reflect      reviews it, and keeps what was learnt
    reason       proposes strategies                  respond      renders it: the only exit
    branch       scores one strategy                  retrieval/   searches for a phase that needs to know more
    select       chooses the best                     ask_human    asks a person: the only place that waits for one
    act          judges the plan, wave by wave        salvage      answers with what there is when a node fails
    step         carries out one step of the plan

Beside them stand what all work with (``deps``, ``work``, ``toolbox``, ``sources``), what each branch and step is given
(``fan_out``, ``shown``), and how a model's statements are checked (``statement_check``). What nodes share has folders
of its own:

    calling/     tool calls: approved, made, put right
    judging/     from signals to a decision and what follows from it
    telling/     what a reader is told and a person asked
    reading/     what the state of a run tells
    keeping/     what outlives a run
"""
