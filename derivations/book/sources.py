"""The works that the book cites."""

from datetime import date

from derivations.language.declare import Work

ARTICLE = Work(
    title="How fast can LLM inference go?",
    author="Fergus Finn",
    url="https://fergusfinn.com/blog/inference-arithmetic",
    read=date(2026, 11, 29),
)

VLLM = Work(
    title="vLLM",
    author="The vLLM project",
    url="https://github.com/vllm-project/vllm",
    read=date(2026, 11, 30),
)
