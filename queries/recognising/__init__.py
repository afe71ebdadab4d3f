"""Find the things that a text in the user's words names: terms, rules, editions and days."""
