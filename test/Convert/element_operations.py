# SPDX-License-Identifier: Apache-2.0
"""What the operations that `aoac trace` prints make of one element, in plain Python.

Elements are bytes, as files hold them. Every value of every dtype is a Python number: floats are exact as float64, whose
arithmetic is the machine's, and are rounded to nearest even from there.
"""

import math
import struct

FLOATS = {"F64": (11, 52), "F32": (8, 23), "F16": (5, 10), "BF16": (8, 7), "F8_E5M2": (5, 2), "F8_E4M3": (4, 3)}
INTEGERS = {"BOOL": "?", "U8": "B", "I8": "b", "U16": "<H", "I16": "<h", "U32": "<I", "I32": "<i", "U64": "<Q", "I64": "<q"}


def size_of(dtype):
    return (1 + sum(FLOATS[dtype])) // 8 if dtype in FLOATS else struct.calcsize(INTEGERS[dtype])


def decode(data, dtype):
    if dtype in INTEGERS:
        return int(struct.unpack(INTEGERS[dtype], data)[0])
    exponent_bits, fraction_bits = FLOATS[dtype]
    bits = int.from_bytes(data, "little")
    fraction = bits & ((1 << fraction_bits) - 1)
    exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1)
    negative = bits >> (exponent_bits + fraction_bits)
    bias, last = (1 << (exponent_bits - 1)) - 1, (1 << exponent_bits) - 1
    if dtype == "F8_E4M3" and exponent == last and fraction == 7 or dtype != "F8_E4M3" and exponent == last and fraction:
        value = math.nan
    elif dtype != "F8_E4M3" and exponent == last:
        value = math.inf
    elif exponent == 0:
        value = math.ldexp(fraction, 1 - bias - fraction_bits)
    else:
        value = math.ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits)
    return math.copysign(value, -1 if negative else 1)


def encode(value, dtype):
    if dtype in INTEGERS:
        return struct.pack(INTEGERS[dtype], value)
    exponent_bits, fraction_bits = FLOATS[dtype]
    bias, sign = (1 << (exponent_bits - 1)) - 1, 1 if math.copysign(1, value) < 0 else 0
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    nan = infinity | (7 if dtype == "F8_E4M3" else 1 << (fraction_bits - 1))
    overflow = nan if dtype == "F8_E4M3" else infinity
    if math.isnan(value):
        bits = nan
    elif math.isinf(value):
        bits = overflow
    elif value == 0:
        bits = 0
    else:
        exponent = max(math.frexp(value)[1] - 1, 1 - bias)
        numerator, denominator = abs(float(value)).as_integer_ratio()
        shift = fraction_bits - exponent
        numerator, denominator = (numerator << shift, denominator) if shift >= 0 else (numerator, denominator << -shift)
        whole, rest = divmod(numerator, denominator)
        whole += 2 * rest > denominator or (2 * rest == denominator and whole & 1)
        # A carry goes on into the exponent; a subnormal one has none.
        bits = ((exponent + bias - 1) << fraction_bits) + whole
        bits = min(bits, overflow)
    return (bits | sign << (exponent_bits + fraction_bits)).to_bytes(size_of(dtype), "little")


def rounded(value, dtype):
    return decode(encode(value, dtype), dtype)


def apply(data, dtype, operations):
    """Returns the bytes and the dtype that `operations` make of an element."""
    for operation in operations:
        value = decode(data, dtype)
        if " -> " in operation:
            found, dtype = operation.split(" -> ")
        elif operation.startswith(("*", "/")):
            number = float(operation[1:])
            value = value * number if operation[0] == "*" else value / number
        else:
            word, number = operation.split(" ")
            wide = "F64" if dtype == "F64" else "F32"
            number = rounded(float(number), wide)
            value = rounded(value * number if word == "scale" else value + number, wide)
        data = encode(value, dtype)
    return data, dtype


def same(one, other, dtype):
    """Whether two elements have equal bytes, or are both NaN."""
    return one == other or (dtype in FLOATS and math.isnan(decode(one, dtype)) and math.isnan(decode(other, dtype)))
