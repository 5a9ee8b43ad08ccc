"""What the requests bring along, and the bridges between what they count."""

from fractions import Fraction

from derivations.language.declare import Bridge, Given, Shown

concurrency = Given(
    symbol="B",
    unit="sequence",
    title="Concurrent users",
    says="The sequences that decode together, in one batch.",
    show=Shown("sequence", decimals=0),
    least=Fraction(1),
    most=Fraction(10**6),
    whole=True,
)

input_length = Given(
    symbol="ISL",
    unit="token / sequence",
    title="Input length",
    says="The tokens of one prompt.",
    show=Shown("token / sequence", decimals=0),
    least=Fraction(1),
    most=Fraction(10**8),
    whole=True,
)

output_length = Given(
    symbol="OSL",
    unit="token / sequence",
    title="Output length",
    says="The tokens of one answer.",
    show=Shown("token / sequence", decimals=0),
    least=Fraction(1),
    most=Fraction(10**8),
    whole=True,
)

a_request = Bridge(
    "sequence",
    "A request on its own",
    says="Where one request is meant, tokens per sequence are simply its tokens.",
)

one_token_each = Bridge(
    "token / sequence",
    "One token of each sequence",
    says="A decode step holds exactly one token of every sequence, so a batch of sequences is as "
    "many tokens.",
)

one_token_a_step = Bridge(
    "token / sequence / step",
    "One token a step",
    says="A decode step adds exactly one token to every sequence, so an answer takes as many steps "
    "as it has tokens.",
)

a_step = Bridge(
    "step",
    "A single step",
    says="What is said of a step (its time, its room for tokens) is said of one step.",
)

steps = output_length / one_token_a_step
