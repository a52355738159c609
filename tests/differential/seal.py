"""First process of a sealed world: prepares its own mounts and loopback, then lives until its stdin is closed.

Run by `worlds.SealedWorld` under unshare(1); when it ends the kernel ends every process inside and drops the mounts.
"""

import fcntl
import os
import socket
import struct
import subprocess
import sys

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


FIRST_LINES = {"hosts": "127.0.0.1 localhost", "passwd": "root:x:0:0::/:/bin/sh", "group": "root:x:0:"}


def loopback_up() -> None:
    """Switch the private loopback interface on (netdevice(7)), without needing iproute2."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        answer = fcntl.ioctl(control, SIOCGIFFLAGS, struct.pack("16sh14x", b"lo", 0))
        flags = struct.unpack("16sh14x", answer)[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))


def mount(*arguments: str) -> None:
    """Run mount(8); its own text tells what is not permitted."""
    subprocess.run(["mount", *arguments], check=True)


def main(root: str) -> None:
    """Put memory at `root` and private copies over the name tables, say so, and wait."""
    loopback_up()
    socket.sethostname("localhost")
    mount("-t", "tmpfs", "-o", "mode=755", "qmon-tui", root)
    os.mkdir(f"{root}/etc")
    for table, first_line in FIRST_LINES.items():
        with open(f"{root}/etc/{table}", "w") as file:
            file.write(f"{first_line}\n")
        mount("--bind", f"{root}/etc/{table}", f"/etc/{table}")
    print("ready", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
