"""The front door for applications of language models: `Rules` behind the Model Context Protocol."""
