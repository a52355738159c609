"""Calls in threads: their results, their failures, and that what they worked on is let go of."""

import asyncio
import threading
from weakref import ref

import pytest

from qmon_tui.tui.base.background import LatestWorker, run_in_thread


async def test_a_thread_that_has_answered_takes_the_next_call() -> None:
    first = await run_in_thread(threading.get_ident)
    await asyncio.sleep(0.05)
    assert await run_in_thread(threading.get_ident) == first != threading.get_ident()


async def test_calls_at_the_same_time_do_not_wait_for_each_other() -> None:
    both = threading.Barrier(2, timeout=10)
    await asyncio.gather(run_in_thread(both.wait), run_in_thread(both.wait))


async def test_a_failure_comes_to_who_asked_and_the_thread_goes_on() -> None:
    def fail() -> None:
        raise ValueError("not this")

    with pytest.raises(ValueError, match="not this"):
        await run_in_thread(fail)
    assert await run_in_thread(lambda: "again") == "again"


class Big:
    """Somebody refers to it."""


async def test_what_was_answered_is_not_kept_until_the_next_question() -> None:
    answers: list[ref[Big]] = []
    latest: LatestWorker[Big, Big] = LatestWorker(
        lambda _: Big(), lambda _, answer: answers.append(ref(answer)), pause=0.0
    )
    task = asyncio.create_task(latest.run())
    question = Big()
    asked = ref(question)
    latest.ask(question)
    del question
    for _ in range(200):
        if answers and answers[0]() is None and asked() is None:
            break
        await asyncio.sleep(0.01)
    task.cancel()
    assert answers[0]() is None
    assert asked() is None
