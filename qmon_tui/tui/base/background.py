"""Work in the background: in threads off the event loop; of several requests only the newest is answered."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

Request = TypeVar("Request")
Answer = TypeVar("Answer")
T = TypeVar("T")


_resting: "list[SimpleQueue[Callable[[], None]]]" = []
"""Queues of idle threads: putting work into one starts it there."""


def _in_some_thread(work: Callable[[], None]) -> None:
    # Starting a thread waits until it gets the interpreter lock; an idle thread just gets the work.
    try:
        queue = _resting.pop()
    except IndexError:
        queue = SimpleQueue()
        threading.Thread(target=_serve, args=(queue,), daemon=True).start()
    queue.put(work)


def _serve(queue: "SimpleQueue[Callable[[], None]]") -> None:
    while True:
        queue.get()()
        _resting.append(queue)


async def run_in_thread(compute: Callable[[], T]) -> T:
    """Run `compute` in a daemon thread and return its result; quitting the program does not wait for it."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(answer: T | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(answer)  # type: ignore[arg-type]

    def work() -> None:
        answer: T | None = None
        failure: BaseException | None = None
        try:
            answer = compute()
        except Exception as error:
            failure = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, answer, failure)

    _in_some_thread(work)
    return await future


ASKING: Final = "asking"
"""Worker group of dialogs that ask several questions in sequence."""


class LatestWorker(Generic[Request, Answer]):
    """Worker that computes only the newest request.

    In a burst of requests it waits until none came for `pause` seconds, but at most `patience` seconds.
    """

    def __init__(
        self,
        compute: Callable[[Request], Answer],
        done: Callable[[Request, Answer], None],
        *,
        pause: float = 0.1,
        patience: float = 0.4,
    ) -> None:
        self._compute = compute
        self._done = done
        self._pause = pause
        self._patience = patience
        self._wanted: Request | None = None
        self._asked = asyncio.Event()
        self._first = True
        self.busy = False

    def ask(self, request: Request) -> None:
        """Compute this request; an older one that is not yet being computed is dropped."""
        self._wanted = request
        self.busy = True
        self._asked.set()

    async def run(self) -> None:
        """Answer requests until cancelled; to be run as a worker."""
        while True:
            await self._asked.wait()
            await self._burst_over()
            request, self._wanted = self._wanted, None
            if request is None:
                continue
            answer = await run_in_thread(lambda wanted=request: self._compute(wanted))  # type: ignore[misc]
            if self._wanted is None:
                self.busy = False
            self._done(request, answer)
            del request, answer  # release both: the receiver may free them

    async def _burst_over(self) -> None:
        # The first request is computed immediately, so that the first frame is not delayed.
        pause = 0.0 if self._first else self._pause
        self._first = False
        deadline = asyncio.get_running_loop().time() + self._patience
        while True:
            self._asked.clear()
            if not pause or asyncio.get_running_loop().time() >= deadline:
                return
            try:
                await asyncio.wait_for(self._asked.wait(), pause)
            except TimeoutError:
                return
