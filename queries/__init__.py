"""The questions: SPARQL files with headers, and the code that finds, binds, runs and explains them.

From the ground up: `session` runs queries over the graphs that a question sees; `catalogue` holds what
can be asked and `finding` what is asked about; `evidence` shows the words that links rest on; `reliance`
follows those links, `history` follows rules through the editions, `checking` looks for what is wrong;
`answering` puts a question through all of these.
"""
