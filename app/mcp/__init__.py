"""The Model Context Protocol: operations of `Rules` as tools for language models."""
