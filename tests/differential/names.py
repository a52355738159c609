"""Host, user and group names that a private qmaster resolves: lines of the three tables in an /etc folder."""

from pathlib import Path

FIRST_ID = 2_100_000
HOSTS_PER_BLOCK = 250
_NOBODYS_GROUP = "others"


class NameTables:
    """Adds what is missing to `hosts`, `passwd` and `group`, and remembers what is there."""

    def __init__(self, etc: Path, process: int = 0, *, are_own: bool = False) -> None:
        """`process` keeps apart what several processes add to the same tables; own ones nobody else reads."""
        self._etc = etc
        self._are_own = are_own
        self._last_id = FIRST_ID + process * HOSTS_PER_BLOCK
        self._hosts = set(" ".join(line.split("#")[0] for line in self._lines("hosts")).split())
        self._ids = {table: self._known_ids(table) for table in ("passwd", "group")}
        self._next_host = process * HOSTS_PER_BLOCK

    def add_host(self, name: str) -> None:
        """Give a name its own loopback address."""
        if name not in self._hosts:
            self._next_host += 1
            block, place = divmod(self._next_host, HOSTS_PER_BLOCK)
            self._append("hosts", f"127.{1 + block // HOSTS_PER_BLOCK}.{block % HOSTS_PER_BLOCK}.{place + 1} {name}")
            self._hosts.add(name)

    def group(self, name: str) -> int:
        """The number of a group, made where there is none of that name."""
        return self._id("group", name, "{name}:x:{number}:")

    def user(self, name: str, group: str) -> int:
        """The number of a user, made with that primary group where there is none of that name.

        In own tables a user changes groups: qrsub -u and user lists ask for the group that is written there.
        """
        entry = f"{{name}}:x:{{number}}:{self.group(group)}::/:/bin/sh"
        number = self._id("passwd", name, entry)
        if self._are_own and number > FIRST_ID:
            self._replace("passwd", name, entry.format(name=name, number=number))
        return number

    def add_user(self, name: str) -> None:
        """Make a user where there is none of that name; his group is in no list."""
        if name not in self._ids["passwd"]:
            self.user(name, _NOBODYS_GROUP)

    def _id(self, table: str, name: str, line: str) -> int:
        ids = self._ids[table]
        if name not in ids:
            self._last_id += 1
            ids[name] = self._last_id
            self._append(table, line.format(name=name, number=ids[name]))
        return ids[name]

    def _lines(self, table: str) -> list[str]:
        return (self._etc / table).read_text().splitlines()

    def _known_ids(self, table: str) -> dict[str, int]:
        fields = (line.split(":") for line in self._lines(table))
        return {words[0]: int(words[2]) for words in fields if len(words) > 2}

    def _replace(self, table: str, name: str, entry: str) -> None:
        """Written into the same file, of which others have a bind mount."""
        lines = self._lines(table)
        changed = [entry if line.startswith(f"{name}:") else line for line in lines]
        if changed != lines:
            (self._etc / table).write_text("".join(f"{line}\n" for line in changed))

    def _append(self, table: str, line: str) -> None:
        with (self._etc / table).open("a") as file:
            file.write(f"{line}\n")
