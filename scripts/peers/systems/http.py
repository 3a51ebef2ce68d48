"""Requests to a server on this machine, over one connection that stays open while it is used."""

import http.client
import json
import urllib.parse


class Server:
    def __init__(self, url: str, headers: dict | None = None):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=600)
        self.headers = {"Content-Type": "application/json"} | (headers or {})

    def send(self, method: str, path: str, body=None):
        """Sends an object as JSON, or text as it is, and returns the answer."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        try:
            response, text = self.exchange(method, path, body)
        except ConnectionError:  # servers close connections that are idle for minutes
            self.connection.close()
            response, text = self.exchange(method, path, body)
        if response.status >= 300:
            raise RuntimeError(f"{method} {path}: {response.status} {text[:500].decode()}")
        return json.loads(text) if text else None

    def exchange(self, method: str, path: str, body):
        self.connection.request(method, path, body, self.headers)
        response = self.connection.getresponse()
        return response, response.read()
