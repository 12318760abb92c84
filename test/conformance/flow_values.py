#!/usr/bin/env python3
"""A reader of the Flow value encoding: standard library only, and nothing shared with the TypeScript implementation.

    flow_values.py DIR...   runs the vectors below the directories: canonical, decode, order, schema and fingerprint
    flow_values.py --lines  answers each line [suite, vector] of standard input with a line (test/vectors/README.md)

As a module: `parse_json` and `canonical_text` for JSON; `Decoder(declarations).decode(term, json)` for values; `signature` and
`fingerprint` for type descriptions, which are not validated here. The numbers in comments (R7) are those of docs/decisions.md.
"""

import base64
import datetime
import hashlib
import json
import re
import sys
from collections import namedtuple
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

# R13.
LIMITS = {"bytes": 2**24, "depth": 128, "values": 2**20, "members": 2**20, "string": 2**23, "digits": 4096}

# Values are nested at most a thousand deep, with a few frames for each level; numbers may be long.
sys.setrecursionlimit(20_000)
sys.set_int_max_str_digits(0)


class Refused(Exception):
    """What is refused: its arguments are a code (R35) and the JSON Pointer of the place."""


def below(at, name):
    return at + "/" + str(name).replace("~", "~0").replace("/", "~1")


# ---- JSON: None, bool, Decimal, str, list, dict (R6, R7, R13)

# As they are written: a number's text, and an object's pairs of a name and a value.
Number = type("Number", (str,), {})
Members = type("Members", (list,), {})


def parse_json(text, limits=None):
    """The JSON value of a text. Python's own parser minds the grammar; what it would let pass is refused here."""
    admission = Admission({**LIMITS, **(limits or {})})
    admission.within("bytes", len(text.encode("utf-8", "surrogatepass")), "")
    # Infinity and NaN are no int, and so no JSON.
    hooks = {"object_pairs_hook": Members, "parse_int": Number, "parse_float": Number, "parse_constant": int}
    try:
        raw = json.loads(text, **hooks)
    except ValueError:
        raise Refused("syntax", "") from None
    except RecursionError:  # Far past any depth; the place is lost.
        raise Refused("limit", "") from None
    return admission.value(raw, "", 1)


class Admission:
    NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)0*(\d*))?")
    SURROGATE = re.compile("[\ud800-\udfff]")

    def __init__(self, limits):
        self.limits, self.values = limits, 0

    def within(self, limit, count, at):
        if count > self.limits[limit]:
            raise Refused("limit", at)

    def value(self, raw, at, depth):
        self.values += 1
        self.within("depth", depth, at)
        self.within("values", self.values, at)
        if isinstance(raw, Number):
            return self.number(raw, at)
        if isinstance(raw, str):
            return self.string(raw, at)
        if not isinstance(raw, list):
            return raw
        self.within("members", len(raw), at)
        if not isinstance(raw, Members):
            return [self.value(item, below(at, i), depth + 1) for i, item in enumerate(raw)]
        members = {}
        for name, value in raw:
            # What is wrong with a name is wrong at its object.
            if self.string(name, at) in members:
                raise Refused("duplicate-member", below(at, name))
            members[name] = self.value(value, below(at, name), depth + 1)
        return members

    def string(self, text, at):
        if self.SURROGATE.search(text):
            raise Refused("lone-surrogate", at)
        self.within("string", len(text.encode()), at)
        return text

    def number(self, text, at):
        """What a number is worth: digits without a zero at either end, and a power of ten."""
        sign, whole, fraction, exponent_sign, exponent = self.NUMBER.fullmatch(text).groups(default="")
        # Of a long exponent sixteen digits are enough: no text has digits to outweigh it.
        power = int(exponent_sign + (exponent[:16] or "0")) - len(fraction)
        digits = whole + fraction
        power += len(digits) - len(digits.rstrip("0"))
        digits = digits.strip("0")
        if digits == "":
            return Decimal(0)
        self.within("digits", len(digits) + power if power >= 0 else max(1, len(digits) + power) - power, at)
        return Decimal(f"{sign}{digits}E{power}")


def canonical_text(value):
    """The canonical text of a JSON value: names by code points, numbers in plain notation, no white space."""
    if value is None or isinstance(value, (bool, str)):
        # Python escapes what must be escaped, in the same way, and nothing else.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(canonical_text(name) + ":" + canonical_text(value[name]) for name in sorted(value)) + "}"
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


# ---- Spellings: what a text stands for, and its canonical spelling

# The calendar comes again after 400 years; Python's has the years from 2000 to 2399.
ERA = 146_097 * 86_400
START, START_SECONDS = datetime.datetime(2000, 1, 1), 946_684_800
YEAR = r"\d{4}|-(?!0000-)\d{4}|[+-][1-9]\d{4,}"
INSTANT = re.compile(rf"({YEAR})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?Z", re.ASCII)
DURATION = re.compile(r"PT(-?)(0|[1-9]\d*)(?:\.(\d+))?S", re.ASCII)


def matched(pattern, text, at):
    """The groups of a text, and of its fraction the nanoseconds and the text without zeros at the end."""
    found = pattern.fullmatch(text)
    fraction = (found and found[pattern.groups] or "").rstrip("0")
    if not found or len(fraction) > 9:
        raise Refused("spelling", at)
    return *found.groups()[:-1], int(fraction.ljust(9, "0")), "." + fraction if fraction else ""


def read_bytes(text, at):
    try:
        value = base64.b64decode(text, validate=True)
        # Unused bits and superfluous padding do not come back (R8).
        if base64.b64encode(value).decode() == text:
            return value, text
    except ValueError:
        pass
    raise Refused("spelling", at)


def read_instant(text, at):
    """Nanoseconds since 1970 (R9)."""
    spelt, *clock, nanoseconds, fraction = matched(INSTANT, text, at)
    # The last digits tell leap years; a year of more than eight is past the range, whatever it is.
    era, year = divmod(int(spelt[0] + spelt[1:][-8:]), 400)
    try:
        moment = datetime.datetime(2000 + year, *map(int, clock))
    except ValueError:
        raise Refused("spelling", at) from None
    value = ((era - 5) * ERA + round((moment - START).total_seconds()) + START_SECONDS) * 10**9 + nanoseconds
    if len(spelt) > 9 or abs(value) > 864 * 10**19:
        raise Refused("limit", at)
    return value, f"{spelt}-{moment:%m-%dT%H:%M:%S}{fraction}Z"


def read_duration(text, at):
    """Nanoseconds (R10)."""
    minus, seconds, nanoseconds, fraction = matched(DURATION, text, at)
    value = int(seconds[:20]) * 10**9 + nanoseconds
    if minus and value == 0:
        raise Refused("spelling", at)
    if value >= 2**53 * 10**9:
        raise Refused("limit", at)
    return -value if minus else value, f"PT{minus}{seconds}{fraction}S"


# ---- Types
# What was decoded: a value as Python has it, the JSON value of its canonical text, and what Python orders as R12 orders the value.
# A tuple, Unit, List or Set is a list; a Dict a list of pairs; a record a dict; an enum or Option a pair of constructor and payload.
Decoded = namedtuple("Decoded", "value json key")


def joined(decoded):
    return Decoded([one.value for one in decoded], [one.json for one in decoded], tuple(one.key for one in decoded))


def json_key(value):
    if value is None or isinstance(value, bool):
        return (0,) if value is None else (1, value)
    if isinstance(value, (Decimal, str)):
        return 2 if isinstance(value, Decimal) else 3, value
    if isinstance(value, list):
        return 4, tuple(map(json_key, value))
    return 5, tuple((name, json_key(value[name])) for name in sorted(value))


def form(term):
    """A term as its form and what is in it: ("Int", None), ("List", item), ("Dict", [key, value])."""
    return (term, None) if isinstance(term, str) else next(iter(term.items()))


def substituted(value, owner, args):
    """A term, a list of terms, or a member with terms in it, with the arguments of a template in place."""
    if isinstance(value, list):
        return [substituted(item, owner, args) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("Param", {}).get("owner") == owner:
        return args[value["Param"]["index"]]
    return {name: substituted(item, owner, args) for name, item in value.items()}


class Decoder:
    """Decodes values of the types over declarations, in a mode (R5) and with a grant (R14)."""

    KINDS = {"Int": Decimal, "Decimal": Decimal, "Bool": bool, "Text": str, "Bytes": str, "Instant": str, "Duration": str}
    SPELLINGS = {"Bytes": read_bytes, "Instant": read_instant, "Duration": read_duration}

    def __init__(self, declarations, mode="lenient", grant="none"):
        self.declarations, self.strict, self.grant = declarations, mode == "strict", grant

    def decode(self, term, value, at=""):
        name, inner = form(term)
        if name == "json.Value":
            return Decoded(value, value, json_key(value))
        if name in ("Never", "Function", "Task"):
            raise Refused("no-value" if name == "Never" else "not-decodable", at)
        if name == "Named":
            return self.declared(inner, value, at)
        if name == "Option":
            return self.tagged({"None": None, "Some": {"positional": [inner]}}, value, at)
        if name == "Dict" and inner[0] == "Text":
            self.kind(dict, value, at)
            pairs = [self.parts(inner, [key, value[key]], at, [at, below(at, key)]) for key in sorted(value)]
            return joined(pairs)._replace(json={pair.json[0]: pair.json[1] for pair in pairs})
        self.kind(self.KINDS.get(name, list), value, at)
        if name in self.SPELLINGS:
            read, text = self.SPELLINGS[name](value, at)
            return Decoded(read, text, read)
        if name == "Int" and value.as_tuple().exponent < 0:
            raise Refused("not-whole", at)
        if name in self.KINDS:
            return Decoded(int(value) if name == "Int" else value, value, value)
        if name in ("Unit", "Tuple"):
            return self.parts(inner or [], value, at)
        decoded = []
        for i, item in enumerate(value):
            place = below(at, i)
            decoded.append(self.parts(inner, item, place) if name == "Dict" else self.decode(inner, item, place))
            # What ascends are the items of a Set, and the keys of a Dict (R11).
            keys = [one.key[0] if name == "Dict" else one.key for one in decoded[-2:]]
            if name != "List" and i > 0 and not keys[0] < keys[1]:
                raise Refused("order", place)
        return joined(decoded)

    def kind(self, kind, value, at):
        if not isinstance(value, kind):
            raise Refused("kind", at)

    def parts(self, terms, value, at, places=None):
        self.kind(list, value, at)
        if len(value) != len(terms):
            raise Refused("kind", at)
        places = places or [below(at, i) for i, _ in enumerate(terms)]
        return joined(list(map(self.decode, terms, value, places)))

    def declared(self, inner, value, at):
        template = self.declarations[inner["declaration"]]
        kind = template["kind"]
        if kind == "nondata" or kind == "host" and self.grant == "none" or template["opaque"] and self.grant != "all":
            raise Refused("not-decodable", at)
        if kind == "host":
            return Decoded(value, value, None)
        given = substituted(template.get("fields", template.get("constructors")), inner["declaration"], inner["args"])
        payloads = {one["name"]: one.get("payload") for one in given}
        return self.record(given, value, at) if kind == "record" else self.tagged(payloads, value, at)

    def tagged(self, payloads, value, at):
        """A value of an enum, or of an Option that is no field: the payloads are those of its constructors (R2)."""
        if not payloads:
            raise Refused("no-value", at)
        bare = isinstance(value, str)
        if not bare and not (isinstance(value, dict) and len(value) == 1):
            raise Refused("kind", at)
        tag, content = (value, None) if bare else next(iter(value.items()))
        if tag not in payloads or (payloads[tag] is None) != bare:
            raise Refused("unknown-constructor", at)
        index, place = list(payloads).index(tag), below(at, tag)
        if bare:
            return Decoded((tag, None), tag, (index,))
        terms = payloads[tag].get("positional")
        if terms is None:
            payload = self.record(payloads[tag]["named"], content, place)
        else:
            payload = self.decode(terms[0], content, place) if len(terms) == 1 else self.parts(terms, content, place)
        return Decoded((tag, payload.value), {tag: payload.json}, (index, payload.key))

    def record(self, fields, value, at):
        """A record, or the named parts of a payload; a field of type Option is written in short (R4)."""
        self.kind(dict, value, at)
        names = [field["name"] for field in fields]
        read, written, keys = {}, {}, []
        for name, field in zip(names, fields):
            option, inner = form(field["type"])
            inside, named = form(inner) if option == "Option" else (None, None)
            # What can itself be written as null is there where null is.
            nullable = inside == "json.Value" or inside == "Named" and self.declarations[named["declaration"]]["kind"] == "host"
            if inside and (name not in value or value[name] is None and not nullable):
                member = Decoded(("None", None), None, (0,))
            elif name not in value:
                raise Refused("missing-member", at)
            else:
                member = self.decode(inner if inside else field["type"], value[name], below(at, name))
                written[name] = member.json
            if inside and name in written:
                member = Decoded(("Some", member.value), None, (1, member.key))
            read[name] = member.value
            keys.append(member.key)
        undeclared = [name for name in value if name not in names]
        if self.strict and undeclared:  # R5
            raise Refused("undeclared-member", below(at, undeclared[0]))
        return Decoded(read, written, tuple(keys))


# ---- Schemas (R17, R18), signatures and fingerprints (R21)

# R19: the first @ that follows a character other than /, and all from there to the next /.
VERSION = re.compile(r"(?<=[^/])@[^/]*")


def closure(value, declarations, found):
    """Adds to `found` the local ids of all templates that a term, or a member with terms in it, leads to."""
    if isinstance(value, dict):
        local_id = value.get("Named", {}).get("declaration")
        if local_id is not None and local_id not in found:
            found.append(local_id)
            closure(declarations[local_id].get("fields", declarations[local_id].get("constructors")), declarations, found)
        value = list(value.values())
    for item in value if isinstance(value, list) else []:
        closure(item, declarations, found)
    return found


class Schema:
    """The schema of one root, as it is described or, for a fingerprint, without descriptions and versions."""

    SIMPLE = json.loads("""{"Int": {"type": "integer"}, "Decimal": {"type": "number"}, "Text": {"type": "string"}, "Bool": {"type":
        "boolean"}, "Bytes": {"type": "string", "contentEncoding": "base64"}, "Instant": {"type": "string", "format": "date-time"},
        "Duration": {"type": "string", "format": "duration"}, "Unit": {"type": "array", "maxItems": 0}, "Never": {"not": {}}, "json.Value":
        {}}""")

    def __init__(self, root, declarations, generic=(), hashed=False):
        self.declarations, self.generic, self.hashed, self.defs = declarations, generic, hashed, {}
        self.identities = self.numbered(closure(root, declarations, []))
        schema = self.of(root)
        self.json = {**schema, "$defs": self.defs} if self.defs else schema

    def numbered(self, local_ids):
        """By local id the identity, with a number where several templates have the same (R18)."""
        counts, names = {}, {}
        templates = [(self.declarations[local_id], local_id) for local_id in local_ids]
        for _, identity, local_id in sorted((it["lexical_ordinal"], it["identity"], local_id) for it, local_id in templates):
            name = VERSION.sub("", identity, count=1) if self.hashed else identity
            counts[name] = counts.get(name, 0) + 1
            names[local_id] = name if counts[name] == 1 else f"{name}#{counts[name]}"
        return names

    def key(self, term):
        name, inner = form(term)
        if name == "Named":
            args = ",".join(map(self.key, inner["args"]))
            return self.identities[inner["declaration"]] + (f"<{args}>" if args else "")
        if name == "Param":
            return "$" + self.generic[inner["index"]]
        if name == "Function":
            return f"({','.join(map(self.key, inner['params']))})->{self.key(inner['result'])}"
        if name == "Tuple":
            return f"({','.join(map(self.key, inner))})"
        return name if inner is None else f"{name}<{','.join(map(self.key, inner if name == 'Dict' else [inner]))}>"

    def of(self, term):
        name, inner = form(term)
        if inner is None:
            return self.SIMPLE[name]
        if name == "Param":
            return {"$param": self.generic[inner["index"]]}
        if name == "List" or name == "Set":
            return {"type": "array", "items": self.of(inner), **({"uniqueItems": True} if name == "Set" else {})}
        if name == "Tuple":
            return self.tuple(inner)
        if name == "Dict":
            text = inner[0] == "Text"
            return {"type": "object", "additionalProperties": self.of(inner[1])} if text else {"type": "array", "items": self.tuple(inner)}
        if name == "Option":
            return {"oneOf": [{"const": "None"}, self.constructor("Some", self.of(inner))]}
        key = self.key(term)
        if key not in self.defs:
            self.defs[key] = None
            template = self.declarations[inner["declaration"]]
            self.defs[key] = self.described(self.body(template, inner), template["doc"])
        # What RFC 3986 allows in a fragment stands for itself.
        return {"$ref": "#/$defs/" + quote(below("", key)[1:], safe="!$&'()*+,;=:@/?-._~")}

    def tuple(self, terms):
        return {"type": "array", "prefixItems": list(map(self.of, terms)), "items": False, "minItems": len(terms)}

    def constructor(self, name, payload):
        return {"type": "object", "properties": {name: payload}, "required": [name], "additionalProperties": False}

    def described(self, schema, doc):
        return schema if doc is None or self.hashed else {**schema, "description": doc}

    def body(self, template, inner):
        given = substituted(template.get("fields", template.get("constructors")), inner["declaration"], inner["args"])
        if template["kind"] == "enum":
            branches = [self.described(self.branch(one["name"], one["payload"]), one["doc"]) for one in given]
            return {"oneOf": branches} if branches else {"not": {}}
        return self.record(given) if template["kind"] == "record" else {}

    def branch(self, name, payload):
        if payload is None:
            return {"const": name}
        if "named" in payload:
            return self.constructor(name, self.record(payload["named"]))
        terms = payload["positional"]
        return self.constructor(name, self.tuple(terms) if len(terms) > 1 else self.of(terms[0] if terms else "Unit"))

    def record(self, fields):
        properties, required = {}, []
        for field in fields:
            name, inner = form(field["type"])
            properties[field["name"]] = self.described(self.of(inner if name == "Option" else field["type"]), field["doc"])
            if name != "Option":
                required.append(field["name"])
        return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def signature(spec, hashed=False):
    """The canonical text of a description's signature: as it is described, or as it is hashed."""
    roots = [spec["ok"], spec["err"], *(param["type"] for param in spec["params"])]
    ok, err, *params = [Schema(root, spec["declarations"], spec["generic"], hashed).json for root in roots]
    named = [[param["name"], schema] for param, schema in zip(spec["params"], params)]
    return canonical_text({"params": named, "ok": ok, "err": err, "generic": spec["generic"]})


def fingerprint(spec):
    return "sha256:" + hashlib.sha256(signature(spec, hashed=True).encode()).hexdigest()


# ---- Vectors

def answer(suite, vector):
    """What becomes of a vector: the members of its expectation as they are here; None where the suite is not known."""

    def decoded(text):
        grant = vector.get("grant", "tokens" if vector.get("hostTokens") else "none")
        decoder = Decoder(vector.get("declarations"), vector.get("mode", "lenient"), grant)
        return decoder.decode(vector.get("type", "json.Value"), parse_json(text, vector.get("limits")))

    try:
        if suite in ("canonical", "decode"):
            return {"canonical": canonical_text(decoded(vector["json"]).json)}
        if suite == "order":
            texts = {decoded(text).key: text for text in vector["sorted"]}
            return {"sorted": [texts[key] for key in sorted(texts)]}
        if suite == "schema":
            return {"schema": canonical_text(Schema(vector["type"], vector["declarations"]).json)}
        if suite == "fingerprint":
            text = signature(vector["spec"], hashed=True)
            return {"signature": signature(vector["spec"]), "canonicalSignature": text, "fingerprint": fingerprint(vector["spec"])}
    except Refused as refused:
        return dict(zip(("error", "at"), refused.args))


def main(arguments):
    if arguments == ["--lines"]:
        for line in sys.stdin.buffer:
            print(json.dumps(answer(*json.loads(line))), flush=True)
        return 0
    expectations = ("canonical", "error", "at", "sorted", "schema", "signature", "canonicalSignature", "fingerprint")
    results = []
    for path in sorted(path for directory in arguments for path in Path(directory).rglob("*.json")):
        for vector in json.loads(path.read_text("utf-8")):
            met = answer(path.stem, vector)
            if met is None:
                print(f"{path}: not run, {path.stem} is not known here")
                break
            results.append(all(met.get(member) == vector[member] for member in expectations if member in vector))
            if not results[-1]:
                print(f"FAILED {path}: {vector['name']}: {ascii(met)}")
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
