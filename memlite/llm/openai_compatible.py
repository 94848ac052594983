"""Chat models behind a server with OpenAI's chat completions, such as llama.cpp, LM Studio and vLLM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import httpx

from memlite.errors import BadInput, MemliteError, ModelNotFound, ReplyError, Timeout, Unreachable, shown
from memlite.llm import budget, http
from memlite.ports import Deadline

Format = Literal["json_schema", "json_object", "none"]
_FORMATS = ("json_schema", "json_object", "none")


class OpenAICompatibleChat:
    """A `Chat` of a server with `/chat/completions`. Threads and forked children may share one: it keeps nothing open.

    Args:
        model: as the server calls it.
        base_url: address up to and without `/chat/completions`, such as http://127.0.0.1:8080/v1.
        api_key: sent as a bearer token; it appears in no message and no repr.
        num_ctx: the model's context in tokens, as the server was started; it is not sent.
        num_predict: most tokens of an answer; one that needs more is an error.
        timeout_s: most seconds of one call, also where the deadline leaves more.
        response_format: how the schema is told. A server that refuses it makes an error, it is never left out quietly: name
            "json_object" or "none" for a server that can't keep to a schema.

    Raises:
        BadInput: an argument out of its range, or no address.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str | None = None,
        *,
        num_ctx: int = 8192,
        num_predict: int = 1024,
        timeout_s: float = 60,
        response_format: Format = "json_schema",
    ) -> None:
        budget.check_settings(model, num_ctx, num_predict, timeout_s)
        _check_key(api_key)
        if response_format not in _FORMATS:
            raise BadInput(f"response_format is {shown(response_format)}: give one of {', '.join(_FORMATS)}")
        http.split_url(base_url, what="base_url")
        self._model = model
        self._url = base_url.rstrip("/")
        self._key = api_key
        self._num_ctx = num_ctx
        self._num_predict = num_predict
        self._timeout_s = timeout_s
        self._format = response_format

    def __repr__(self) -> str:
        return f"OpenAICompatibleChat({self._model!r}, {self._url!r})"

    @property
    def name(self) -> str:
        """`openai:` and the model's name."""
        return f"openai:{self._model}"

    @property
    def max_chars(self) -> int:
        """Most characters of a message: one a token of what instructions and answer leave of the context."""
        return budget.message_chars(self._num_ctx, self._num_predict)

    def ask(self, system: str, message: str, *, schema: Mapping[str, Any], deadline: Deadline) -> str:
        """The answer's text, without any reasoning the server gives beside it.

        Raises:
            Unreachable: no server, it refuses the key, it broke off or is busy, twice.
            ModelNotFound: the server does not have the model.
            Timeout: no whole answer within `timeout_s` and the deadline.
            ReplyError: an empty answer, one cut off or withheld, one made from a part of the message, a refused schema.
        """
        budget.check_message(self.name, message, self.max_chars)
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": message}],
            "temperature": 0,
            "max_tokens": self._num_predict,
            "stream": False,
        }
        if self._format == "json_schema":
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)},
            }
        elif self._format == "json_object":
            body["response_format"] = {"type": "json_object"}
        response = http.attempted(lambda seconds: self._call(body, seconds), limit_s=self._timeout_s, deadline=deadline)
        return self._content(response, message)

    def _call(self, body: Mapping[str, Any], seconds: float) -> Any:
        options = http.client_options(self._url, seconds)
        if self._key is not None:
            options["headers"] = {**options["headers"], "authorization": f"Bearer {self._key}"}
        try:
            with httpx.Client(**options) as client:
                response = client.post(f"{self._url}/chat/completions", json=body)
                if response.status_code != 200:
                    raise self._refused(response.status_code, response.text)
                return response.json()
        except httpx.ConnectTimeout as error:
            raise Unreachable(f"no connection to {self._url} within {http.CONNECT_S:g} s: is the server running?") from error
        except httpx.TimeoutException as error:
            raise Timeout(f"{self.name} gave no answer within {seconds:.3g} s") from error
        except httpx.ConnectError as error:
            raise http.Passing(Unreachable(f"no server answers at {self._url}: is it running?")) from error
        except httpx.RemoteProtocolError as error:
            raise http.Passing(Unreachable(f"{self._url} closed the connection before it had answered")) from error
        except httpx.HTTPError as error:
            raise Unreachable(f"the call of {self._url} failed: {type(error).__name__}") from error
        except (ValueError, RecursionError) as error:
            raise ReplyError(f"{self._url} gave a response that is no JSON: {type(error).__name__}") from None

    def _refused(self, status: int, said: str) -> Exception:
        quote = http.brief(said, self._key)
        if status == 503:
            return http.Passing(Unreachable(f"{self._url} is busy: {quote}"))
        if status == 404 and "model" in said.lower():
            return ModelNotFound(f"{self._url} does not have {self._model!r}: {quote}")
        if status in (401, 403):
            return Unreachable(f"{self._url} refuses the API key (status {status}): {quote}")
        if status == 400 and "response_format" in said:
            return ReplyError(f"{self._url} can't keep to a schema: set response_format='json_object' or 'none': {quote}")
        refusal: MemliteError = http.refused(status, said, self._url, secret=self._key)
        return refusal

    def _content(self, response: Any, message: str) -> str:
        try:
            choice = response["choices"][0]
            content, reason = choice["message"]["content"], choice.get("finish_reason")
            usage = response.get("usage") or {}
            read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise ReplyError(f"{self._url} gave a response that is no chat completion") from None
        if reason == "length":
            raise ReplyError(f"{self.name} did not finish within {self._num_predict:,} tokens: raise num_predict")
        if reason not in ("stop", None):
            raise ReplyError(f"{self.name} gave no whole answer: it ended with {shown(reason)}")
        counts = [count if isinstance(count, int) and not isinstance(count, bool) else None for count in (read, written)]
        budget.check_read(message, counts[0], counts[1], self._num_ctx)
        if not isinstance(content, str) or not content.strip():
            raise ReplyError(f"{self.name} gave an empty answer")
        return content


def _check_key(key: object) -> None:
    if key is not None and not (isinstance(key, str) and key.isascii() and key.isprintable()):
        raise BadInput("api_key is no text, or has characters that no HTTP header can carry")
