"""Pairs of tasks: asked again in other words, and near misses.

The thresholds were set on ``TUNED``. ``UNSEEN`` was written with it, and looked at afterwards.
"""

Pair = tuple[str, str]

SAME_TUNED: tuple[Pair, ...] = (
    ("How do I sort keys in json.dumps?", "How can the keys be sorted with json.dumps"),
    ("Optimize the HandleTask function", "optimize HandleTask using industry best practices"),
    ("What is the capital of France?", "Which city is the capital of France?"),
    ("When was Tesla founded?", "In what year was Tesla founded?"),
    ("Add caching to the Go request handler", "How do I cache responses in a Go request handler?"),
    ("How do I read a CSV file with pandas?", "reading csv files using pandas"),
    ("Should we use Postgres or MySQL for analytics?", "Postgres vs MySQL for analytics: which one to choose?"),
    ("Como ordenar as chaves com json.dumps?", "De que forma ordeno chaves no json.dumps?"),
    ("Qual é a capital do Brasil?", "A capital do Brasil é qual cidade?"),
    ("Como instalar o Postgres no Ubuntu?", "instalação do Postgres no Ubuntu"),
    ("Who wrote Don Quixote?", "Who is the author of Don Quixote?"),
    ("How does the retry policy in LangGraph work?", "Explain LangGraph's retry policy"),
    ("What is the time limit for refund requests?", "How long is the time limit for a refund request?"),
)

DIFFERENT_TUNED: tuple[Pair, ...] = (
    ("How do I sort keys in json.dumps?", "How do I sort rows with csv.writer?"),
    ("Who founded Tesla?", "When was Tesla founded?"),
    ("How do I convert a list to a tuple?", "How do I convert a tuple to a list?"),
    ("How do I enable CORS in FastAPI?", "How do I disable CORS in FastAPI?"),
    ("What is new in Python 3.11?", "What is new in Python 3.12?"),
    ("What is the capital of France?", "What is the population of France?"),
    ("How do I read a CSV file with pandas?", "How do I write a CSV file with pandas?"),
    ("Add caching to the Go request handler", "Add authentication to the Go request handler"),
    ("flights from London to Paris", "flights from Paris to London"),
    ("How do I run tests with coverage?", "How do I run tests without coverage?"),
    ("Qual é a capital do Brasil?", "Qual é a população do Brasil?"),
    ("Quem fundou a Petrobras?", "Quando foi fundada a Petrobras?"),
    ("Como converter uma lista para uma tupla?", "Como converter uma tupla para uma lista?"),
    ("Como instalar o Postgres no Ubuntu?", "Como instalar o MySQL no Ubuntu?"),
    ("What are the side effects of ibuprofen?", "What are the side effects of paracetamol?"),
    ("How do I start the server?", "How do I make sourdough bread?"),
)

SAME_UNSEEN: tuple[Pair, ...] = (
    ("How do I merge two dictionaries in Python?", "merging two dicts in python"),
    ("How to undo the last git commit?", "undo my last commit in git"),
    ("What is the maximum upload size?", "How large may an upload be at most?"),
    ("Summarise our vacation policy", "What does our vacation policy say?"),
    ("Which database should we choose for time series?", "What database is best for time series data?"),
    ("Who discovered penicillin?", "penicillin was discovered by whom?"),
    ("How do I rotate log files with logrotate?", "log file rotation using logrotate"),
    ("What is the melting point of tungsten?", "At what temperature does tungsten melt?"),
    ("Reduce the memory use of the image pipeline", "How can we reduce memory usage in the image pipeline?"),
    ("How many moons does Jupiter have?", "What is the number of moons of Jupiter?"),
    ("Como desfazer o último commit no git?", "desfazendo o último commit do git"),
    ("Quais são os efeitos colaterais do ibuprofeno?", "efeitos colaterais de ibuprofeno"),
    ("Quem descobriu a penicilina?", "Por quem foi descoberta a penicilina?"),
    ("Qual é o prazo para pedir reembolso?", "prazo de pedidos de reembolso"),
)

DIFFERENT_UNSEEN: tuple[Pair, ...] = (
    ("How do I merge two dictionaries in Python?", "How do I merge two branches in git?"),
    ("How to undo the last git commit?", "How to change the message of the last git commit?"),
    ("Who discovered penicillin?", "Where was penicillin discovered?"),
    ("How many moons does Jupiter have?", "How many moons does Saturn have?"),
    ("What is the melting point of tungsten?", "What is the boiling point of tungsten?"),
    ("How do I encrypt a file with gpg?", "How do I decrypt a file with gpg?"),
    ("How do I migrate from MySQL to Postgres?", "How do I migrate from Postgres to MySQL?"),
    ("What does HTTP status 403 mean?", "What does HTTP status 404 mean?"),
    ("Reduce the memory use of the image pipeline", "Reduce the cost of the image pipeline"),
    ("What is the maximum upload size?", "What is the maximum password length?"),
    ("How do I mount a volume in Docker?", "How do I unmount a volume in Docker?"),
    ("Results for patients with diabetes", "Results for patients without diabetes"),
    ("Quem descobriu a penicilina?", "Onde foi descoberta a penicilina?"),
    ("Quais são os efeitos colaterais do ibuprofeno?", "Quais são os benefícios do ibuprofeno?"),
    ("Como desfazer o último commit no git?", "Como assinar um commit no git?"),
    ("voos de Lisboa para Madri", "voos de Madri para Lisboa"),
)

NARROWER: tuple[Pair, ...] = (
    ("What are the side effects of ibuprofen?", "side effects of ibuprofen in adults"),
    ("When may staff work from home?", "When may senior staff work from home?"),
    ("Where are dogs allowed?", "Where are guide dogs allowed?"),
    ("How long may visitors park in the garage?", "How long may visitors with electric cars park in the garage?"),
    ("How much does a return ticket cost?", "How much does a return ticket for children cost?"),
    ("How long does the library lend novels?", "How long does the library of the museum lend novels?"),
    ("When does the north gate of the depot open?", "When does the south gate of the depot open?"),
    ("Quando a piscina abre aos domingos?", "Quando a piscina infantil abre aos domingos?"),
    ("Quanto custa o bilhete de volta?", "Quanto custa o bilhete de volta para crianças?"),
)
"""Of two questions with the same words, one says which one it means."""

SAME_BUT_ASIDES: tuple[Pair, ...] = (
    ("Where are dogs allowed?", "Where exactly are dogs allowed?"),
    ("When may senior staff work from home?", "When may senior staff work from home? Thank you."),
    ("How long does the library of the museum lend novels?", "How long does the museum library lend novels?"),
    ("How often is the password of the network changed?", "How often do you change the network's password?"),
    ("In what year was the depot of Lund founded?", "When was the depot of Lund founded?"),
)

DIFFERENT_LABELS: tuple[Pair, ...] = (
    ("Does plan A include support?", "Does plan B include support?"),
    ("When does team A meet?", "When does team E meet?"),
    ("What causes hepatitis A in adults?", "What causes hepatitis B in adults?"),
    ("O plano A inclui suporte?", "O plano O inclui suporte?"),
    ("Who may sign form A, and when is it due?", "Who may sign form B, and when is it due?"),
)
"""The same words, another letter: *a* is an article as well, and the shortest of words."""

DIFFERENT_SIGNS: tuple[Pair, ...] = (
    ("What does ** do in Python?", "What does // do in Python?"),
    ("What does ** do in Python?", "What is // in Python?"),
    ("What does ** do in Python?", "What is Python?"),
    ("What does * do in Python?", "What does ** do in Python?"),
    ("What does / do in Python?", "What does - do in Python?"),
    ("What does && do in bash?", "What does || do in bash?"),
    ("What does & do in bash?", "What does && do in bash?"),
    ("What does $? mean in bash?", "What does $! mean in bash?"),
    ("In bash, what is $?", "In bash, what is $!"),
    ("Is 5 < 3 in Python?", "Is 5 > 3 in Python?"),
    ("Is 5<3 in Python?", "Is 5>3 in Python?"),
    ("Is 5 = 3?", "Is 5 ≠ 3?"),
    ("Is x ≤ 3?", "Is x ≥ 3?"),
    ("What does &x mean in C?", "What does *x mean in C?"),
    ("What does [] mean in Python?", "What does {} mean in Python?"),
    ("What does . match in a regex?", "What does ? match in a regex?"),
    ("What does ?? do in JavaScript?", "What does ?. do in JavaScript?"),
    ("O que faz == em JavaScript?", "O que faz === em JavaScript?"),
    ("O que custa €5?", "O que custa $5?"),
)
"""The same words, another operator."""

OTHER_SCRIPTS: tuple[Pair, ...] = (
    ("Как установить сервер?", "Сколько стоит лицензия?"),
    ("Как установить сервер?", "Как установить лицензию?"),
    ("كيف أثبت الخادم؟", "كم تكلفة الرخصة؟"),
    ("サーバーの設定方法は？", "ライセンスの価格は？"),
    ("かきとは", "かぎとは"),
    ("如何安装服务器？", "许可证多少钱？"),
    ("서버를 어떻게 설치합니까?", "라이선스는 얼마입니까?"),
    ("का क्या है?", "कि क्या है?"),
    ("ははは", "はははは"),
)

SAME_BUT_PUNCTUATION: tuple[Pair, ...] = (
    ("How do I sort keys in json.dumps?", "how do I  sort keys in json.dumps"),
    ("How do I sort keys in json.dumps?", 'How do I sort `keys` in "json.dumps"!'),
    ("Postgres: how do I install it?", "Postgres - how do I install it?"),
    ("Postgres, how do I install it?", "Postgres — how do I install it..."),
    ("How do I install Postgres (Ubuntu)?", "How do I install Postgres, Ubuntu?"),
    ("How does a client-server cache work?", "How does a client/server cache work?"),
    ("What does ** do in Python?", "What does `**` do in Python"),
    ("What does the power operator (**) do?", "What does the power operator ** do?"),
    ("&&, what does it do in bash?", "&&: what does it do in bash?"),
    ("What is C++?", "what is “C++”"),
    ("Is 5<3?", "Is 5 < 3"),
    ("What is **?", "what is **"),
    ("Qual é a função do João?", "Qual e a funcao do Joao"),
    ("What does it do?", "what does it do."),
)
