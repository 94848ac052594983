"""A small Ollama: its protocol in front of one real model, for tests. `python front.py FILE.gguf NAME` prints its address.

Speaks what a chat client needs: GET /api/version and /api/tags, POST /api/show and /api/chat without streaming. The model runs
inside this process through llama.cpp, on one thread: on a busy machine its threads wait for each other, two are slower than one.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SLOTS = 4  # each keeps the prompt it read last, so that instructions are read once although tests take turns


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Model:
    """A GGUF file and the llama.cpp server that runs it, loaded again when another context size is asked for."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self._path = path
        self._context = 0
        self._server: Any = None
        self._one_at_a_time = threading.Lock()

    def complete(self, request: dict[str, Any], context: int) -> tuple[dict[str, Any], int]:
        """(llama.cpp's chat completion, nanoseconds of loading)."""
        with self._one_at_a_time:
            began = time.perf_counter_ns()
            if context != self._context:
                self._server = self._load(context)
                self._context = context
            loaded = time.perf_counter_ns() - began
            return self._server.handle_chat_completions(request), loaded

    def _load(self, context: int) -> Any:
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(self._path)
        parameters.n_ctx = context * SLOTS
        parameters.n_parallel = SLOTS
        parameters.warmup = False
        parameters.verbosity = 0
        parameters.cpuparams.n_threads = 1
        parameters.cpuparams_batch.n_threads = 1
        return xllamacpp.Server(parameters)


def chat(model: Model, request: dict[str, Any]) -> dict[str, Any]:
    """What Ollama answers to /api/chat."""
    began = time.perf_counter_ns()
    if request.get("stream", True):
        raise Refusal(501, "this front does not stream")
    if request.get("think"):
        raise Refusal(400, f'"{model.name}" does not support thinking')
    options = request.get("options") or {}
    asked: dict[str, Any] = {
        "messages": [{"role": message["role"], "content": message["content"]} for message in request["messages"]],
        "temperature": options.get("temperature", 0.8),
        "max_tokens": options.get("num_predict", 128),
        "cache_prompt": True,
    }
    schema = {"type": "object"} if request.get("format") == "json" else request.get("format")
    if isinstance(schema, dict):
        shape = {"name": "answer", "strict": True, "schema": schema}
        asked["response_format"] = {"type": "json_schema", "json_schema": shape}
    elif schema:
        raise Refusal(400, "format must be 'json' or a JSON schema")
    done, loaded = model.complete(asked, int(options.get("num_ctx", 4096)))
    if "error" in done:
        told = done["error"]
        message = told.get("message", "") if isinstance(told, dict) else str(told)
        raise Refusal(400 if "context" in message or "schema" in message or "grammar" in message else 500, message)
    choice, usage = done["choices"][0], done["usage"]
    return {
        "model": request["model"],
        "created_at": now(),
        "message": {"role": "assistant", "content": choice["message"].get("content") or ""},
        "done": True,
        "done_reason": choice["finish_reason"],
        "total_duration": time.perf_counter_ns() - began,
        "load_duration": loaded,
        "prompt_eval_count": usage["prompt_tokens"],
        "eval_count": usage["completion_tokens"],
    }


def tags(model: Model) -> dict[str, Any]:
    """What Ollama answers to /api/tags."""
    details = {"format": "gguf", "family": "llama", "families": ["llama"], "parameter_size": "", "quantization_level": ""}
    entry = {"name": model.name, "model": model.name, "modified_at": now(), "size": 0, "digest": "0" * 64, "details": details}
    return {"models": [entry]}


def now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        """Says nothing."""

    def do_GET(self) -> None:
        self._answered({"/api/version": lambda _: {"version": "0.0.0-test"}, "/api/tags": lambda _: tags(self._model)}, {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        show = {"details": {"format": "gguf"}, "model_info": {}, "capabilities": ["completion"], "modified_at": now()}
        self._answered({"/api/chat": lambda request: chat(self._model, request), "/api/show": lambda _: show}, body)

    @property
    def _model(self) -> Model:
        assert isinstance(self.server, Front)
        return self.server.model

    def _answered(self, routes: dict[str, Any], body: dict[str, Any]) -> None:
        try:
            if self.path not in routes:
                raise Refusal(404, "404 page not found")
            if "model" in body and body["model"] not in (self._model.name, self._model.name.removesuffix(":latest")):
                raise Refusal(404, f"model '{body['model']}' not found")
            status, answer = 200, routes[self.path](body)
        except Refusal as refusal:
            status, answer = refusal.status, {"error": str(refusal)}
        except Exception as error:  # noqa: BLE001 - a server's handler of last resort: Ollama too answers 500
            status, answer = 500, {"error": f"{type(error).__name__}: {error}"}
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Front(ThreadingHTTPServer):
    """The server. The model is loaded at the first chat."""

    daemon_threads = True

    def __init__(self, model: Model) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.model = model


if __name__ == "__main__":
    front = Front(Model(Path(sys.argv[1]), sys.argv[2]))
    print(f"http://127.0.0.1:{front.server_address[1]}", flush=True)
    front.serve_forever()
