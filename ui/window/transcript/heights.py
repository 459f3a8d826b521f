"""Heights of many rows as a Fenwick tree: the sum above a row and the row at a height, each in O(log n)."""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    """A list of whole pixels with fast sums: any entry can change, only the end can grow or be cut."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values = list(values)
        self._tree = [0, *self._values]
        for index in range(1, len(self._tree)):
            parent = index + (index & -index)
            if parent < len(self._tree):
                self._tree[parent] += self._tree[index]

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def __setitem__(self, index: int, value: int) -> None:
        change = value - self._values[index]
        if not change:
            return
        self._values[index] = value
        at = index + 1
        while at < len(self._tree):
            self._tree[at] += change
            at += at & -at

    def append(self, value: int) -> None:
        """Add one row at the end."""
        self._values.append(value)
        at = len(self._values)
        total, child = value, at - 1
        while child > at - (at & -at):
            total += self._tree[child]
            child -= child & -child
        self._tree.append(total)

    def cut(self, length: int) -> None:
        """Forget all rows from `length` on; the sums before it stand, since they hold nothing of the rest."""
        del self._values[length:]
        del self._tree[length + 1 :]

    def above(self, index: int) -> int:
        """Return the sum of all rows before `index`."""
        total = 0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    @property
    def total(self) -> int:
        """The sum of all rows."""
        return self.above(len(self._values))

    def at(self, y: int) -> int:
        """Return the row that covers the height `y`: the first for less than 0, the last past the end."""
        step = 1 << len(self._values).bit_length()
        index, left = 0, y
        while step:
            after = index + step
            if after < len(self._tree) and self._tree[after] <= left:
                index, left = after, left - self._tree[after]
            step >>= 1
        return max(0, min(index, len(self._values) - 1))
