"""git's smart HTTP: nginx asks for a password, and hands over to `git http-backend` by fcgiwrap."""

from __future__ import annotations

import getpass
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from support.servers.host import Host
from support.servers.processes import answers, free_port, running
from support.servers.programs import program

_CONFIG = """\
daemon off;
{user}worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_max_body_size 0;
    client_body_temp_path {folder}/body;
    fastcgi_temp_path {folder}/fastcgi;
    proxy_temp_path {folder}/proxy;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    server {{
        listen 127.0.0.1:{port};
        auth_basic git;
        auth_basic_user_file {folder}/users;
        location / {{
            fastcgi_pass unix:{folder}/cgi;
            fastcgi_param SCRIPT_FILENAME {backend};
            fastcgi_param GIT_PROJECT_ROOT {root};
            fastcgi_param GIT_HTTP_EXPORT_ALL "";
            fastcgi_param GIT_PROTOCOL $http_git_protocol;
            fastcgi_param PATH_INFO $uri;
            fastcgi_param QUERY_STRING $query_string;
            fastcgi_param REQUEST_METHOD $request_method;
            fastcgi_param CONTENT_TYPE $content_type;
            fastcgi_param CONTENT_LENGTH $content_length;
            fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
            fastcgi_param REMOTE_USER $remote_user;
            fastcgi_param REMOTE_ADDR $remote_addr;
        }}
    }}
}}
"""
# All that a hook gets from a service that an init system has started: no home, no name, hardly a path.
BARE_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C", "GIT_CONFIG_NOSYSTEM": "1"}
_USER, _PASSWORD = "pat", "of-pat"
_AT_ONCE = 8


@contextmanager
def serving_http(folder: Path, env: Mapping[str, str] | None = None, privileges: Sequence[str] = ()) -> Iterator[Host]:
    """The server, with its files and repositories in a new folder.

    `env` is the whole environment of the backend, and `privileges` are options of setpriv for it.
    """
    repositories = folder / "repositories"
    repositories.mkdir(parents=True)
    folder.chmod(0o777)
    port = free_port()
    (folder / "users").write_text(f"{_USER}:{{PLAIN}}{_PASSWORD}\n", encoding="utf-8")
    user = f"user {getpass.getuser()};\n" if getpass.getuser() == "root" else ""
    backend = program("git-http-backend")
    text = _CONFIG.format(port=port, folder=folder, root=repositories, user=user, backend=backend)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    cgi = [program("fcgiwrap"), "-f", "-c", str(_AT_ONCE), "-s", f"unix:{folder}/cgi"]
    web = [program("nginx"), "-p", str(folder), "-e", str(folder / "nginx.log"), "-c", str(folder / "nginx.conf")]
    with ExitStack() as stack:
        backend_env = BARE_ENVIRONMENT if env is None else env
        stack.enter_context(running(cgi, folder / "cgi.log", (folder / "cgi").exists, backend_env, privileges))
        stack.enter_context(running(web, folder / "web.log", lambda: answers(port)))
        yield Host("http", repositories, f"http://{_USER}:{_PASSWORD}@127.0.0.1:{port}/{{}}.git", {})
