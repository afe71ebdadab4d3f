"""Strings in, strings and spans out: words, names, numbers, titles and sentences, and nothing of ours."""
