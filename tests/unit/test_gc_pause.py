"""During a run the garbage collector rests, and no longer."""

import gc
from threading import Thread

from qmon_tui.gc_pause import gc_paused


def test_it_rests_during_a_run_and_works_again_after_it() -> None:
    assert gc.isenabled()
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_who_has_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_pauses_of_several_threads_leave_it_enabled() -> None:
    def pauses() -> None:
        for _ in range(300):
            with gc_paused():
                pass

    threads = [Thread(target=pauses) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gc.isenabled()
