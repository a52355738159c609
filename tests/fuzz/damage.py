"""Random damage: bytes changed, cut, doubled, put in; pieces of grammar in odd places."""

from random import Random
from typing import Final

PIECES: Final = (
    *("²".encode(), "٣".encode(), b"--5", b"-+5", b"1e400", b"-1e400", b"9" * 4301, b"1_0", b" 7", b"+1"),
    *(b"\n", b" ", b"\t", b"\r\n", b"\x00", b"\xff\xfe", b"\\\n", b"#", b"=", b",", b":", b"|", b"&", b"!", b"*", b"-"),
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b"(",
        b")",
        b"<",
        b">",
        b"'",
        b'"',
        b"%",
        b"@",
        b"$",
        b"/",
        b"..",
        b"<<: ",
        b"*a",
        b"&a ",
    ),
    *(b"NONE", b"INFINITY", b"nan", b"0x", b"1e999", b"-1", b"9" * 30, b"4294967296", b"- ", b"? ", b"--- ", b"!!int "),
    *(
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"<a>",
        b"</a>",
        b"]]>",
        b"<!DOCTYPE a>",
        b"&lt;",
        b"%lt;",
        b"{a: ",
        b"[[",
        b"-l",
    ),
)


def damaged(random: Random, corpus: tuple[bytes, ...]) -> bytes:
    """One text of the corpus with one to six faults."""
    data = bytearray(random.choice(corpus))
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        at = random.randrange(len(data) + 1)
        length = random.choice((0, 1, 1, 2, 8, 40))
        lot = random.random()
        if lot < 0.45:
            data[at : at + length] = random.choice(PIECES) * random.choice((1, 1, 1, 2, 50))
        elif lot < 0.6:
            data[at : at + length] = random.randbytes(random.choice((1, 2, 8)))
        elif lot < 0.75:
            del data[at : at + length]
        elif lot < 0.9:
            other = random.choice(corpus)
            start = random.randrange(len(other) + 1)
            data[at : at + length] = other[start : start + random.choice((1, 10, 200))]
        else:
            data[at:at] = data[at : at + 60] * random.choice((1, 2, 20))
    return bytes(data)
