"""The works that the book cites."""

from datetime import date

from derivations.language.declare import Work

ARTICLE = Work(
    title="How fast can LLM inference go?",
    author="Fergus Finn",
    url="https://fergusfinn.com/blog/inference-arithmetic",
    read=date(2026, 11, 29),
)

INFERENCEMAX = Work(
    title="InferenceMAX",
    author="SemiAnalysis",
    url="https://github.com/SemiAnalysisAI/InferenceX",
    read=date(2026, 11, 29),
)

VLLM = Work(
    title="vLLM",
    author="The vLLM project",
    url="https://github.com/vllm-project/vllm",
    read=date(2026, 11, 30),
)

TRANSFORMER = Work(
    title="Attention Is All You Need",
    author="Vaswani et al.",
    url="https://arxiv.org/abs/1706.03762",
    read=date(2026, 11, 30),
)

TYING = Work(
    title="Using the Output Embedding to Improve Language Models",
    author="Press and Wolf",
    url="https://arxiv.org/abs/1608.05859",
    read=date(2026, 11, 30),
)

TRANSFORMERS = Work(
    title="Transformers, model code",
    author="The Hugging Face team",
    url="https://github.com/huggingface/transformers",
    read=date(2026, 11, 30),
)

ROOFLINE = Work(
    title="Introduction to the Roofline Model",
    author="Performance and Algorithms Research Group, Berkeley Lab",
    url="https://crd.lbl.gov/departments/computer-science/par/research/roofline/introduction/",
    read=date(2026, 11, 30),
)
