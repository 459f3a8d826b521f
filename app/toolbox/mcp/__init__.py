"""MCP servers: programs and addresses of others, whose tools the person agreed to."""
