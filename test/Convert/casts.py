#!/usr/bin/env python3
"""Every cast of `aoac convert` against nearest values looked up in tables: casts.py WORK.

Narrow sources hold all their bit patterns, F32 and F64 the values where rounding decides something: the values of each
narrower dtype, the midpoints between them, and their neighbours. A result is right when it is the entry of the table of
all values that is nearest to the exact value, the even one of two. Of NaN only the sign counts.
"""

import json
import os
import subprocess
import sys

import numpy

BITS = {"F64": (11, 52), "F32": (8, 23), "F16": (5, 10), "BF16": (8, 7), "F8_E5M2": (5, 2), "F8_E4M3": (4, 3)}
NARROW = ("F16", "BF16", "F8_E5M2", "F8_E4M3")
WIDTHS = {"F64": "<u8", "F32": "<u4", "F16": "<u2", "BF16": "<u2", "F8_E5M2": "u1", "F8_E4M3": "u1"}
INTEGERS = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8",
            "I64": "<i8"}
COLUMNS = 8


def first_not_finite(dtype):
    """The lowest magnitude, as bits, that is no finite value: infinity, or E4M3's NaN."""
    exponent, fraction = BITS[dtype]
    return (1 << (exponent + fraction)) - 1 if dtype == "F8_E4M3" else ((1 << exponent) - 1) << fraction


def table_of(dtype):
    """The values of the magnitudes 0, 1, … of a narrow dtype, and behind them the one that would come next."""
    exponent, fraction = BITS[dtype]
    magnitudes = numpy.arange(first_not_finite(dtype) + 1)
    exponents, fractions = magnitudes >> fraction, magnitudes & ((1 << fraction) - 1)
    whole = numpy.where(exponents == 0, fractions, fractions + (1 << fraction)).astype(numpy.float64)
    return numpy.ldexp(whole, numpy.maximum(exponents, 1) - ((1 << (exponent - 1)) - 1) - fraction)


TABLES = {dtype: table_of(dtype) for dtype in NARROW}


def exact(bits, dtype):
    """What the bit patterns are, as float64, which holds all of them; and their signs."""
    if dtype in ("F64", "F32"):
        values = bits.view("<f8" if dtype == "F64" else "<f4").astype(numpy.float64)
        return values, numpy.signbit(values)
    sign_bit = 1 << sum(BITS[dtype])
    negative, magnitudes = (bits & sign_bit) != 0, (bits & (sign_bit - 1)).astype(numpy.int64)
    limit = first_not_finite(dtype)
    values = TABLES[dtype][numpy.minimum(magnitudes, limit)].copy()
    values[magnitudes == limit] = numpy.nan if dtype == "F8_E4M3" else numpy.inf
    values[magnitudes > limit] = numpy.nan
    return numpy.where(negative, -values, values), negative


def nearest(values, negative, dtype):
    """The bits of the nearest value of `dtype`, and how many finite values had none."""
    if dtype in ("F64", "F32"):
        rounded = numpy.copysign(values, numpy.where(negative, -1.0, 1.0)).astype("<f8" if dtype == "F64" else "<f4")
        return rounded.view(WIDTHS[dtype]), int((numpy.isinf(rounded) & numpy.isfinite(values)).sum())
    table, limit = TABLES[dtype], first_not_finite(dtype)
    magnitudes = numpy.abs(values)
    below = numpy.clip(numpy.searchsorted(table, magnitudes, "right") - 1, 0, limit - 1)
    middle = (table[below] + table[below + 1]) / 2
    bits = below + ((magnitudes > middle) | ((magnitudes == middle) & (below % 2 == 1)))
    overflows = int(((bits == limit) & numpy.isfinite(values)).sum())
    bits[numpy.isinf(values)] = limit
    bits[numpy.isnan(values)] = (1 << sum(BITS[dtype])) - 1
    return (bits | (negative.astype(numpy.int64) << sum(BITS[dtype]))).astype(WIDTHS[dtype]), overflows


def is_nan(bits, dtype):
    return numpy.isnan(exact(bits, dtype)[0])


def edges(dtype):
    """Bits of F32 or F64 where rounding decides something, in both signs."""
    random = numpy.random.default_rng(7)
    float_type = numpy.float64 if dtype == "F64" else numpy.float32
    values = []
    for table in TABLES.values():
        some = table[:: max(1, len(table) // 2000)], table[:300], table[-300:]
        centres = numpy.concatenate([*some, *(part[:-1] + (part[1:] - part[:-1]) / 2 for part in (table[:300], table[-300:]))])
        which = random.integers(0, len(table) - 1, 3000)
        values += [centres, (table[which] + table[which + 1]) / 2]
    if dtype == "F64":  # values of F32, also subnormal ones and the largest, and their midpoints
        bits = numpy.concatenate([random.integers(0, 0x7F800000, 3000), numpy.arange(300), 0x7F800000 - numpy.arange(1, 300),
                                  0x00800000 + numpy.arange(-200, 200)]).astype("<u4")
        singles, next_ones = bits.view("<f4").astype(numpy.float64), (bits + 1).view("<f4").astype(numpy.float64)
        next_ones[numpy.isinf(next_ones)] = 2.0**128
        values += [singles, singles + (next_ones - singles) / 2]
    with numpy.errstate(over="ignore", under="ignore"):
        values = numpy.concatenate(values).astype(float_type)
    values = numpy.concatenate([numpy.nextafter(values, float_type(0)), values, numpy.nextafter(values, float_type("inf"))])
    bits = numpy.concatenate([values.view(WIDTHS[dtype]), random.integers(0, 1 << (sum(BITS[dtype])), 20000).astype(WIDTHS[dtype])])
    exponent, fraction = BITS[dtype]
    infinity = ((1 << exponent) - 1) << fraction
    special = numpy.array([0, 1, infinity - 1, infinity, infinity + 1, infinity + (1 << (fraction - 1)), (1 << (exponent + fraction)) - 1], WIDTHS[dtype])
    bits = numpy.concatenate([special, bits])
    bits = numpy.concatenate([bits, bits | numpy.array(1 << (exponent + fraction), WIDTHS[dtype])])
    return bits[: len(bits) // COLUMNS * COLUMNS]


def patterns(dtype):
    if dtype in ("F64", "F32"):
        return edges(dtype)
    return numpy.arange(1 << (1 + sum(BITS[dtype])), dtype=numpy.int64).astype(WIDTHS[dtype])


def integer_patterns(dtype):
    random = numpy.random.default_rng(8)
    if dtype == "BOOL":
        return numpy.array([0, 1] * 8, bool)
    limits = numpy.iinfo(INTEGERS[dtype])
    some = random.integers(limits.min, limits.max, 12, dtype=INTEGERS[dtype], endpoint=True)
    return numpy.concatenate([some, numpy.array([limits.min, limits.max, 0, 1], INTEGERS[dtype])])


def write_file(path, tensors):
    header, begin = {}, 0
    for name, (dtype, bits) in tensors.items():
        header[name] = {"dtype": dtype, "shape": list(bits.shape), "data_offsets": [begin, begin + bits.nbytes]}
        begin += bits.nbytes
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + b"".join(bits.tobytes() for _, bits in tensors.values()))


def read_file(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = 8 + int.from_bytes(data[:8], "little")
    for name, entry in json.loads(data[8:begin]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            width = WIDTHS.get(entry["dtype"]) or INTEGERS[entry["dtype"]]
            yield name, entry["dtype"], numpy.frombuffer(data[begin + first : begin + last], width).reshape(entry["shape"])


def chain(bits, dtypes):
    """What a chain of casts makes, and how many values overflow in it."""
    overflows = 0
    for old, new in zip(dtypes, dtypes[1:]):
        with numpy.errstate(all="ignore"):
            bits, more = nearest(*exact(bits, old), new)
        overflows += more
    return bits, overflows


def compare(name, dtype, found, expected):
    if dtype in BITS:
        nans = is_nan(expected.ravel(), dtype).reshape(expected.shape)
        sign = found.dtype.type(1 << sum(BITS[dtype]))
        wrong = numpy.where(nans, ~is_nan(found.ravel(), dtype).reshape(found.shape) | (found & sign != expected & sign),
                            found != expected)
    else:
        wrong = found != expected
    if wrong.any():
        index = tuple(int(i) for i in numpy.argwhere(wrong)[0])
        sys.exit(f"{name} [{index}]: found {found[index]:#x}, expected {expected[index]:#x} ({wrong.sum()} differ)")


def main():
    work = sys.argv[1]
    os.makedirs(f"{work}/src")
    sources, statements, expected, overflows = {}, [], {}, 0
    for old in BITS:
        bits = patterns(old).reshape(-1, COLUMNS)
        sources[old] = (old, bits)
        for new in BITS:
            if new != old:
                flat, count = chain(bits.ravel(), (old, new))
                made = flat.reshape(bits.shape)
                statements += [f"{old} -> {old}.{new}, dtype={new}", f"{old}^T -> {old}.{new}.turned, dtype={new}"]
                expected[f"{old}.{new}"], expected[f"{old}.{new}.turned"] = (new, made), (new, made.T)
                overflows += 2 * count
    for dtypes in (("F32", "F16", "F32"), ("F64", "F32", "BF16"), ("F64", "BF16", "F64"), ("F32", "F8_E4M3", "F16"),
                   ("BF16", "F8_E5M2", "F32"), ("F64", "F16", "F8_E5M2", "F8_E4M3")):
        name, bits = ".".join(dtypes) + ".chain", sources[dtypes[0]][1]
        names = [dtypes[0], *(f"step{len(statements)}.{i}" for i in range(len(dtypes) - 2)), name]
        statements += [f"{a} -> {b}, dtype={new}" for a, b, new in zip(names, names[1:], dtypes[1:])]
        flat, count = chain(bits.ravel(), dtypes)
        expected[name] = (dtypes[-1], flat.reshape(bits.shape))
        overflows += count
    for old, old_type in INTEGERS.items():
        sources[old] = (old, integer_patterns(old))
        for new, new_type in INTEGERS.items():
            if old != new and new != "BOOL" and numpy.can_cast(old_type, new_type):
                statements.append(f"{old} -> {old}.{new}, dtype={new}")
                expected[f"{old}.{new}"] = (new, sources[old][1].astype(new_type))
    write_file(f"{work}/src/model.safetensors", sources)
    with open(f"{work}/casts.aoa", "w") as file:
        file.write("\n".join(statements) + "\n")
    done = subprocess.run(["aoac", "convert", f"{work}/casts.aoa", "--source", f"{work}/src", "--output", f"{work}/out",
                           "--memory", "256KiB", "--threads", "3"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    warning = f"aoac: warning: {overflows} finite values became infinite or NaN where they were cast"
    if warning not in done.stderr:
        sys.exit(f"expected {warning}, found\n{done.stderr}")
    results = 0
    for name, dtype, found in read_file(f"{work}/out/model.safetensors"):
        if name in expected:
            if dtype != expected[name][0] or found.shape != expected[name][1].shape:
                sys.exit(f"{name} is {dtype} {found.shape}")
            compare(name, dtype, found, expected[name][1])
            results += 1
    if results != len(expected):
        sys.exit(f"{results} results, expected {len(expected)}")
    print(f"{results} tensors cast, all values the nearest ones; {overflows} overflows counted")


main()
