# SPDX-License-Identifier: Apache-2.0
"""Small arrays whose elements are any Python values: a shape and a row-major list.

Enough to evaluate conversions element by element on the tiny tensors of the
conformance file, without a numerical library.
"""

from dataclasses import dataclass
from itertools import product
from math import prod


@dataclass(frozen=True)
class Array:
    shape: tuple
    items: tuple

    def __post_init__(self):
        assert prod(self.shape) == len(self.items), (self.shape, len(self.items))

    def reshaped(self, shape):
        return Array(tuple(shape), self.items)

    def mapped(self, function):
        return Array(self.shape, tuple(function(item) for item in self.items))

    def permuted(self, order):
        """Result axis i is axis order[i]."""
        if sorted(order) != list(range(len(self.shape))):
            raise ValueError(f"{list(order)} is no permutation of {len(self.shape)} axes")
        shape = tuple(self.shape[axis] for axis in order)
        steps = strides(self.shape)
        return Array(shape, tuple(
            self.items[sum(i * steps[axis] for i, axis in zip(index, order))] for index in indices(shape)))

    def box(self, offset, shape):
        steps = strides(self.shape)
        return Array(tuple(shape), tuple(
            self.items[sum((i + at) * step for i, at, step in zip(index, offset, steps))] for index in indices(shape)))


def indices(shape):
    """All index vectors of a shape, in row-major order."""
    return product(*(range(extent) for extent in shape))


def strides(shape):
    """Row-major strides, in elements."""
    return [prod(shape[axis + 1:]) for axis in range(len(shape))]


def unravel(flat, shape):
    """The index vector of a row-major position."""
    return tuple(flat // step % extent for step, extent in zip(strides(shape), shape))


def merged(parts, axis):
    """The parts one behind the other along an axis. The other extents must be equal."""
    others = {part.shape[:axis] + part.shape[axis + 1:] for part in parts}
    if len(others) != 1:
        raise ValueError(f"parts of shapes {[part.shape for part in parts]} do not fit along axis {axis}")
    outer = prod(parts[0].shape[:axis])
    widths = [prod(part.shape[axis:]) for part in parts]
    items = tuple(item for row in range(outer) for part, width in zip(parts, widths)
                  for item in part.items[row * width:(row + 1) * width])
    shape = list(parts[0].shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    return Array(tuple(shape), items)


def split(whole, count, axis):
    """`count` equal parts along an axis."""
    width, rest = divmod(whole.shape[axis], count)
    if rest:
        raise ValueError(f"an axis of {whole.shape[axis]} cannot be cut in {count} equal parts")
    shape = whole.shape[:axis] + (width,) + whole.shape[axis + 1:]
    at = [0] * len(shape)
    return [whole.box(at[:axis] + [part * width] + at[axis + 1:], shape) for part in range(count)]
