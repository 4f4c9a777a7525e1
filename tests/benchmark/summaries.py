"""Has a chat model say each of some quoted definitions in one short sentence, and counts how many keep to the quote.

    python tests/benchmark/summaries.py --model FILE.gguf

Prints every quote and sentence, with the share of its content words that the quote has: whether a sentence is true, and
better than the quote, is for a reader to judge.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.models.chat import ChatModel, Message
from app.reading.understand import understand_pages
from memory.naming import singular_key
from memory.words import stop_words, tokens
from tests.benchmark.reading import PLAIN, SHARED, studies

ENOUGH = 0.9
LONG = 100
"""Characters of a quote from which a shorter sentence could be wished for."""
SAMPLE = {"en": 24, "es": 8, "fr": 6, "ar": 4, "pt": 4}
PROMPTS = {
    "en": "Sentence from a course: “{quote}”\n\nWith the words of this sentence only, say in one short sentence what "
    "“{name}” is.",
    "fr": "Phrase d'un cours : « {quote} »\n\nAvec les mots de cette phrase seulement, dis en une phrase courte ce "
    "qu'est « {name} ».",
    "es": "Frase de un curso: «{quote}»\n\nSolo con las palabras de esta frase, di en una frase corta qué es «{name}».",
    "pt": "Frase de um curso: «{quote}»\n\nApenas com as palavras desta frase, diz numa frase curta o que é «{name}».",
    "ar": "جملة من درس: «{quote}»\n\nبكلمات هذه الجملة فقط، قل في جملة قصيرة واحدة ما هو «{name}».",
}


def content(text: str, language: str) -> list[str]:
    """The content words of a text, in their singular forms."""
    stops = stop_words(language)
    return [singular_key(word, language) for word in tokens(text, language) if len(word) > 1 and word not in stops]


def kept(sentence: str, name: str, quote: str, language: str) -> float:
    """The share of a sentence's content words that its quote or the concept's name has."""
    own = content(sentence, language)
    known = {*content(quote, language), *content(name, language)}
    return sum(word in known for word in own) / max(1, len(own))


def main() -> None:
    """Ask about a fixed sample and print what came."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=SHARED)
    options.add_argument("--model", type=Path, required=True)
    chosen = options.parse_args()
    quotes: dict[str, dict[str, str]] = defaultdict(dict)
    for one in studies(chosen.shared):
        if len(one.pages) == 1 and one.variant == PLAIN:
            continue  # a long file, read once is enough
        for concept in understand_pages(one.pages, one.language).concepts:
            if concept.definition is not None and len(concept.definition.text) > LONG:
                quotes[one.language][concept.name] = concept.definition.text
    chance = random.Random(7)
    shares, seconds = [], []
    model = ChatModel.start(chosen.model)
    try:
        for language, count in SAMPLE.items():
            for name, quote in chance.sample(sorted(quotes[language].items()), count):
                asked = PROMPTS[language].replace("{quote}", quote).replace("{name}", name)
                began = time.perf_counter()
                written = model.generate(
                    [Message("user", asked)], max_tokens=70, conversation="reading", repeat_penalty=1.0
                )
                sentence = "".join(written).strip()
                seconds.append(time.perf_counter() - began)
                shares.append(kept(sentence, name, quote, language))
                print(f"{shares[-1]:.2f} {language} {name}\n  {quote}\n  {sentence}", flush=True)
    finally:
        model.close()
    enough = sum(share >= ENOUGH for share in shares)
    print(f"{enough} of {len(shares)} keep {ENOUGH} of their words; {sum(seconds) / len(seconds):.1f} s each")


if __name__ == "__main__":
    main()
