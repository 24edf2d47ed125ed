"""Word lists for English and Portuguese: stop words, question words, hedges, certainties, negations, abbreviations."""

from calibrant.state.task import EN, PT, Language


def word_set(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split("|"))


_STOP_EN = """
a about above after again against all also am an and any are aren't as at be because been before being below between
both but by can can't cannot could couldn't daren't did didn't do does doesn't doing don't done down during each either
else ever every few for from further get gets getting got had hadn't has hasn't have haven't having he he'd he'll her
here hers herself him himself his i i'd i'll i'm i've if in into is isn't it it'd it'll its itself just let lot many
may me might mightn't more most much must mustn't my myself needn't neither no nor not of off ok okay on once one only
or other our ours ourselves out over own per please same shall shan't she she'd she'll should shouldn't so some such
tell than that that'd that'll the their theirs them themselves then there there'd there'll these they they'd they'll
they're they've this those through thus to too under until up upon us very was wasn't we we'd we'll we're we've were
weren't what're while who'd who'll who're who've will with within without won't would wouldn't yes yet you you'd you'll
you're you've your yours yourself
"""
_STOP_PT = """
a à ao aos as às até com como contra da das de dela delas dele deles depois desde do dos e é ela elas ele eles em
entre era eram essa essas esse esses esta está estão estar estas estava este estes eu foi for foram fosse há isso
isto já la lhe lhes lo mais mas me mesma mesmo meu minha muita muitas muito muitos na nas nem nessa nesse nesta
neste no nos nós nossa nosso num numa não o os ou para pela pelas pelo pelos pode podem por porque pois qualquer que
são se seja sem ser será seu seus si sido sim só sob sobre sua suas também tão te tem têm tenha ter teve tinha toda
todas todo todos tu tua um uma umas uns você vocês meus minhas teus tuas nossos nossas assim então pra pras nuns numas
dum duma aí né tá tô dá gente cadê
"""
STOP_WORDS: dict[Language, frozenset[str]] = {EN: word_set(_STOP_EN), PT: word_set(_STOP_PT)}
"""Function words: they carry no topic. Memory and the full-text index, which do not know the language of what they
compare, have lists of their own, for both languages at once and without accents."""

ANY_STOP_WORD = STOP_WORDS[EN] | STOP_WORDS[PT]
"""Those of either language, where a word or two do not tell which it is."""

OF = word_set("of de do da dos das")
"""What stands between a thing and what it belongs to."""

OF_OR_FOR = OF | {"for", "para"}
"""And between it and what it is for."""

_QUESTION_EN = """
what what's which who who's whom whose when where why how explain describe list name give say mean means meaning
called happen happens happened everyone everybody anyone anybody someone somebody
"""
_QUESTION_PT = """
que quê qual quais quem quando onde aonde como quanto quanta quantos quantas por porque porquê explique descreva
liste diga cite nome chamado chamada significa faz fazem fazer fez acontece aconteceu alguém todos todas
"""
QUESTION_WORDS: dict[Language, frozenset[str]] = {EN: word_set(_QUESTION_EN), PT: word_set(_QUESTION_PT)}
"""Words that ask or instruct: they say what kind of answer is wanted, and an answer need not repeat them."""

_HEDGES_EN = """
about | allegedly | apparently | approximately | arguably | around | as far as i know | could | could be | in some
cases | it depends | it is possible | it seems | likely | may | maybe | might | not certain | not clear | not sure |
often | perhaps | possibly | potentially | presumably | probably | reportedly | roughly | seems | seemingly |
sometimes | suggests | supposedly | tends to | unclear | uncertain | unlikely | usually | i think | i believe | in my
opinion
"""
_HEDGES_PT = """
acho que | alegadamente | aparentemente | aproximadamente | às vezes | cerca de | creio que | depende | em alguns
casos | é possível | geralmente | incerto | não está claro | parece | poderia | pode ser | podem ser | possivelmente
| potencialmente | presumivelmente | provavelmente | provável | sugere | supostamente | talvez | tende a | não tenho
certeza | normalmente
"""
HEDGES: dict[Language, tuple[str, ...]] = {EN: _phrases(_HEDGES_EN), PT: _phrases(_HEDGES_PT)}
"""Cues that a statement is not fully committed to. Lowercase words and phrases; match them at word boundaries."""

_CERTAINTIES_EN = """
absolutely | always | certainly | clearly | conclusively | confirmed | definitely | established | exactly |
guaranteed | guarantees | in fact | indeed | known to | must | never | obviously | of course | precisely | proven |
proves | undoubtedly | without doubt
"""
_CERTAINTIES_PT = """
absolutamente | certamente | claramente | com certeza | comprovado | confirmado | de fato | definitivamente | deve |
estabelecido | exatamente | garantido | garante | jamais | nunca | precisamente | prova que | sem dúvida | sempre
"""
CERTAINTIES: dict[Language, tuple[str, ...]] = {EN: _phrases(_CERTAINTIES_EN), PT: _phrases(_CERTAINTIES_PT)}
"""Cues that a statement is fully committed to."""

_NEGATIONS_EN = """
no not never none nobody nothing nowhere neither nor without cannot hardly barely unable
"""
_NEGATIONS_PT = """
não nunca jamais nenhum nenhuma ninguém nada nem sem tampouco impossível
"""
NEGATIONS: dict[Language, frozenset[str]] = {EN: word_set(_NEGATIONS_EN), PT: word_set(_NEGATIONS_PT)}
"""Words that negate; English contractions in n't are recognised apart."""

_CUES_EN = """
the of and to in is are was were what which who when where why how does did that with for from by on be it this
these have has can should would an or not if at its their they you your between than into about there
"""
_CUES_PT = """
o os um uma uns umas de da dos das em na nos nas que qual quais quem quando onde quanto quantos quantas por para com
é são foi foram não ao aos à às pelo pela pelos pelas mais ou se sua seu suas seus como sobre entre está também você
isso esta este essa esse há ser ter porque até já quê tem têm pode podem deve devem fica ficam nunca sempre durante
desde após apenas cada
"""
LANGUAGE_CUES: dict[Language, frozenset[str]] = {EN: word_set(_CUES_EN), PT: word_set(_CUES_PT)}
"""Frequent words of one language that the other does not have (shared spellings such as "as", "do", "no" left out)."""

_ABBREVIATIONS = """
e.g i.e cf al approx ca vs viz resp incl excl esp fig figs eq eqs no nos vol ch sec pp ed eds dept univ inc ltd co
corp mr mrs ms dr drs prof rev gen col sgt capt lt sen rep gov hon pres st jr mt ft jan feb mar apr jun jul aug sep
sept oct nov dec a.m p.m sr sra srs sras dra exmo exma ilmo pág págs art arts núm obs ex p.ex séc av tel cap vols
tab aprox max min máx mín
"""
ABBREVIATIONS: frozenset[str] = word_set(_ABBREVIATIONS)
"""Abbreviations after which a full stop does not end a sentence, without their last full stop."""
