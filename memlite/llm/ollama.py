"""Chat models behind an Ollama server, through its own client."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from memlite.errors import BadInput, MemliteError, ModelNotFound, ReplyError, Timeout, Unreachable, shown
from memlite.llm import budget, http
from memlite.ports import Deadline

if TYPE_CHECKING:  # importing ollama takes a quarter of a second, which only those who ask a model pay
    from ollama import ChatResponse

_PORT = 11434


class OllamaChat:
    """A `Chat` of an Ollama server. Threads and forked children may share one: it keeps nothing open between calls.

    Args:
        model: such as "qwen2.5:7b".
        host: address of the server; None = $OLLAMA_HOST, else http://127.0.0.1:11434.
        num_ctx: the model's context in tokens, sent with every call: Ollama's own is small, and another value reloads the model.
        num_predict: most tokens of an answer; one that needs more is an error.
        keep_alive: how long the server keeps the model loaded, sent with every call: seconds or text such as "10m".
        timeout_s: most seconds of one call, also where the deadline leaves more.
        think: whether a thinking model may think; None leaves it to the server. One that thought until it had no room for an
            answer is asked once more without, and from then on without.

    Raises:
        BadInput: an argument out of its range, or no address.
    """

    def __init__(
        self,
        model: str,
        *,
        host: str | None = None,
        num_ctx: int = 8192,
        num_predict: int = 1024,
        keep_alive: float | str = "10m",
        timeout_s: float = 60,
        think: bool | None = None,
    ) -> None:
        budget.check_settings(model, num_ctx, num_predict, timeout_s)
        _check_choices(keep_alive, think)
        self._model = model
        self._url = _address(host or os.environ.get("OLLAMA_HOST") or "127.0.0.1")
        self._num_ctx = num_ctx
        self._num_predict = num_predict
        self._keep_alive = keep_alive
        self._timeout_s = timeout_s
        self._think = think

    def __repr__(self) -> str:
        return f"OllamaChat({self._model!r}, host={self._url!r})"

    @property
    def name(self) -> str:
        """`ollama:` and the model's name."""
        return f"ollama:{self._model}"

    @property
    def max_chars(self) -> int:
        """Most characters of a message: one a token of what instructions and answer leave of the context."""
        return budget.message_chars(self._num_ctx, self._num_predict)

    def ask(self, system: str, message: str, *, schema: Mapping[str, Any], deadline: Deadline) -> str:
        """The answer's text. The server is told the schema; whether it keeps to it is for the caller to check.

        Raises:
            Unreachable: no server, it broke off or is busy, twice.
            ModelNotFound: the server does not have the model.
            Timeout: no whole answer within `timeout_s` and the deadline.
            ReplyError: an empty answer, one cut off, one made from a part of the message, or no response of Ollama's.
        """
        budget.check_message(self.name, message, self.max_chars)
        response = self._response(system, message, schema, think=self._think, deadline=deadline)
        if not (response.message.content or "").strip() and response.message.thinking and self._think is not False:
            response = self._response(system, message, schema, think=False, deadline=deadline)
            self._think = False  # only now: a model that must think refuses it
        if response.done_reason == "length":
            raise ReplyError(f"{self.name} did not finish within {self._num_predict:,} tokens: raise num_predict")
        budget.check_read(message, response.prompt_eval_count, response.eval_count, self._num_ctx)
        content = response.message.content or ""
        if not content.strip():
            raise ReplyError(f"{self.name} gave an empty answer (done: {shown(response.done_reason)})")
        return content

    def _response(
        self, system: str, message: str, schema: Mapping[str, Any], *, think: bool | None, deadline: Deadline
    ) -> ChatResponse:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": message}]
        call = {
            "model": self._model,
            "messages": messages,
            "format": dict(schema),
            "options": {"temperature": 0, "num_ctx": self._num_ctx, "num_predict": self._num_predict},
            "keep_alive": self._keep_alive,
            "think": think,
        }
        return http.attempted(lambda seconds: self._call(call, seconds), limit_s=self._timeout_s, deadline=deadline)

    def _call(self, call: Mapping[str, Any], seconds: float) -> ChatResponse:
        import ollama  # noqa: PLC0415 - slow to load

        client = ollama.Client(host=self._url, **http.client_options(self._url, seconds))
        try:
            response: ChatResponse = client.chat(stream=False, **call)
        except httpx.TimeoutException as error:
            if isinstance(error, httpx.ConnectTimeout):
                raise Unreachable(
                    f"no connection to {self._url} within {http.CONNECT_S:g} s: is `ollama serve` running?"
                ) from error
            raise Timeout(f"{self.name} gave no answer within {seconds:.3g} s") from error
        except ConnectionError as error:
            raise http.Passing(Unreachable(f"no server answers at {self._url}: start it with `ollama serve`")) from error
        except httpx.RemoteProtocolError as error:
            raise http.Passing(Unreachable(f"{self._url} closed the connection before it had answered")) from error
        except httpx.HTTPError as error:
            raise Unreachable(f"the call of {self._url} failed: {type(error).__name__}") from error
        except ollama.ResponseError as error:
            raise self._refused(error.status_code, error.error) from error
        except (ValueError, TypeError, AttributeError, RuntimeError) as error:
            # The client reads a response without looking: HTML, {"error": …}, a list, nesting without end. Its errors quote it.
            raise ReplyError(f"{self._url} gave no response of Ollama's: {type(error).__name__}") from None
        finally:
            client.close()  # type: ignore[no-untyped-call]
        return response

    def _refused(self, status: int, said: str) -> Exception:
        if status == 503:
            return http.Passing(Unreachable(f"{self._url} is busy: {http.brief(said)}"))
        if status == 404 and "model" in said.lower():
            return ModelNotFound(f"{self._url} does not have {self._model!r}: run `ollama pull {self._model}`")
        refusal: MemliteError = http.refused(status, said, self._url)
        return refusal


def _check_choices(keep_alive: object, think: object) -> None:
    if isinstance(keep_alive, bool) or not isinstance(keep_alive, (int, float, str)):
        raise BadInput(f"keep_alive is {shown(keep_alive)}: give seconds, or a text such as '10m'")
    if think is not None and not isinstance(think, bool):
        raise BadInput(f"think is {shown(think)}: give True, False or None")


def _address(host: object) -> str:
    """A whole address. As for Ollama's client, no scheme and no port mean http and 11434; with a scheme the port is its own.

    0.0.0.0 is where servers listen; not every system takes it for an address to call, so this machine's takes its place.
    """
    if not isinstance(host, str):
        raise BadInput(f"host is {shown(host)}: give an address such as http://127.0.0.1:11434")
    url = host.strip().rstrip("/").replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - replaced, not bound
    if "://" not in url:
        parts = http.split_url(f"http://{url}", what="host")
        url = f"http://{url}" if parts.port else f"http://{url}:{_PORT}"
    http.split_url(url, what="host")
    return url
