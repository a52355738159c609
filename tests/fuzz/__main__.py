"""Damage, read, and tell what broke: an exception that no reader may raise, or an input that takes far too long."""

import sys
import time
import traceback
from random import Random

from tests.fuzz.damage import damaged
from tests.fuzz.readers import Reader, readers

INPUTS = 1_000_000
SLOW_SECONDS = 5.0


def main(words: list[str]) -> int:
    """Spread the inputs over all readers, the dear ones getting fewer; 1 if something broke."""
    inputs = int(words[0]) if words else INPUTS
    seed = int(words[1]) if len(words) > 1 else 1
    every = readers()
    shares = {reader.name: 1 / reader.cost for reader in every}
    whole = sum(shares.values())
    broken = 0
    for reader in every:
        count = max(1, round(inputs * shares[reader.name] / whole))
        begun = time.process_time()
        found = _fuzz(reader, count, Random(f"{seed} {reader.name}"))
        broken += found
        print(
            f"{reader.name:22}{count:9} inputs {time.process_time() - begun:7.1f} s{f'  {found} broke' * bool(found)}",
            flush=True,
        )
    return 1 if broken else 0


def _fuzz(reader: Reader, count: int, random: Random) -> int:
    broken = 0
    for _ in range(count):
        data = damaged(random, reader.corpus)
        begun = time.process_time()
        try:
            reader.read(data)
        except reader.refuses:
            pass
        except Exception:
            broken += 1
            if broken <= 3:
                traceback.print_exc()
                print(f"{reader.name}: {data!r}", file=sys.stderr)
        seconds = time.process_time() - begun
        if seconds > SLOW_SECONDS:
            broken += 1
            print(f"{reader.name}: {seconds:.1f} s for {len(data)} bytes: {data[:300]!r}", file=sys.stderr)
    return broken


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
