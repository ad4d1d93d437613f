"""A forge's API on loopback: answers by their paths, and what it was asked."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

TOKEN = "token-of-the-job"


class Asked(NamedTuple):
    method: str
    path: str
    content: Any
    is_authorised: bool


class Forge:
    """`answers` has a value for each path: a list is given in pages, bytes as they are, a number as that status.

    A tuple is given one entry a request, its last for ever after.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: dict[str, Any] = {}
        self.asked: list[Asked] = []

    def wrote(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.method != "GET"]

    def answer(self, path: str, query: Mapping[str, list[str]]) -> tuple[int, bytes, str | None]:
        """Status, body, and where else to look."""
        found = self.answers.get(path, 404)
        if isinstance(found, tuple):
            found, *rest = found
            if rest:
                self.answers[path] = tuple(rest)
        if isinstance(found, int):
            return found, b"{}", None
        if isinstance(found, bytes):
            return 200, found, None
        if isinstance(found, str):
            return 302, b"", found
        page, size = (int(query.get(name, [default])[0]) for name, default in (("page", "1"), ("per_page", "30")))
        part = slice((page - 1) * size, page * size)
        if isinstance(found, list):
            found = found[part]
        elif isinstance(found, dict):
            found = {key: value[part] if isinstance(value, list) else value for key, value in found.items()}
        return 200, json.dumps(found).encode(), None


@contextmanager
def serving() -> Iterator[Forge]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *said: Any) -> None:
            pass

        def reply(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            where = urlsplit(self.path)
            said = f"{self.headers.get('Authorization')} {self.headers.get('PRIVATE-TOKEN')}"
            forge.asked.append(Asked(self.command, where.path, json.loads(content) if content else None, TOKEN in said))
            status, body, elsewhere = forge.answer(where.path, parse_qs(where.query))
            self.send_response(status)
            if elsewhere:
                self.send_header("Location", elsewhere)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = do_PUT = reply  # noqa: N815 - the server's names

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        forge = Forge(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield forge
        finally:
            server.shutdown()
            thread.join()


def zipped(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()
