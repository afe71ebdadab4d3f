"""Who relies on what: links of reliance, walks along them, and the questions that these answer."""
