"""A text in anybody's words becomes the things that it names: terms, rules, editions and days."""
