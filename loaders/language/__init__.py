"""Read English text: words, names, numbers, dates, sentences. Nothing here knows the rules."""
