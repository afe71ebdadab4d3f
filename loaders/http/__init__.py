"""Talking to web servers: what is sent and what comes back, whole and within bounds or not at all."""
