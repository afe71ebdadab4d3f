"""Talk to web servers: send requests and receive whole answers, within limits."""
