#!/usr/bin/env python3
"""Contract digests, a second time: standard library only, and nothing shared with the TypeScript implementation.

    digest.py FILE...              the Capability Contract/1 digest of each descriptor, one a line
    digest.py --canonical FILE...  the RFC 8785 text of each, one a line

A file that is no JSON/1 document is told of, and the status is 1 then. Descriptors are not judged beyond that.
"""

import hashlib
import json
import re
import sys

DOMAIN = b"FLOW-Capability-Contract/1\0"
MOST_SAFE = 2**53 - 1


class Invalid(ValueError):
    pass


def number(text):
    if len(text) > 128:
        raise Invalid("a number of more than 128 bytes")
    value = float(text)
    if value != value or value in (float("inf"), float("-inf")):
        raise Invalid("a number that is not finite")
    if value == int(value) and abs(int(value)) > MOST_SAFE:
        raise Invalid("a whole number outside the safe range")
    return value


def constant(text):
    raise Invalid(text + " is no JSON value")


def members(pairs):
    found = {}
    for name, value in pairs:
        if name in found:
            raise Invalid("a name twice")
        found[name] = value
    return found


def read(data):
    text = data.decode("utf-8", "strict")
    if text.startswith("\ufeff"):
        raise Invalid("a byte-order mark")
    return json.loads(text, parse_int=number, parse_float=number, parse_constant=constant, object_pairs_hook=members)


def ecmascript(value):
    """A finite binary64 number as ECMAScript's Number::toString writes it."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    # repr gives the shortest digits that read back as the same number, as ECMAScript does; only the layout differs.
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    shown = digits[0] + ("." + digits[1:] if count > 1 else "")
    return sign + shown + "e" + ("+" if point > 0 else "-") + str(abs(point - 1))


SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def string(text):
    if re.search("[\ud800-\udfff]", text):
        raise Invalid("a lone surrogate")
    return '"' + re.sub('[\0-\x1f"\\\\]', lambda m: SHORT.get(m[0]) or "\\u%04x" % ord(m[0]), text) + '"'


def canonical(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return string(value)
    if isinstance(value, float):
        return ecmascript(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    # By UTF-16 code units, which big-endian bytes order alike.
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(string(name) + ":" + canonical(value[name]) for name in names) + "}"


def digest(value):
    return "sha256:" + hashlib.sha256(DOMAIN + canonical(value).encode("utf-8")).hexdigest()


def main(arguments):
    action = digest
    if arguments and arguments[0] == "--canonical":
        action, arguments = canonical, arguments[1:]
    status = 0
    for path in arguments:
        with open(path, "rb") as file:
            data = file.read()
        try:
            line = action(read(data))
        except ValueError as error:
            print(f"{path}: {error}", file=sys.stderr)
            status = 1
            continue
        sys.stdout.buffer.write(line.encode("utf-8") + b"\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
