from __future__ import annotations

import codecs
import json

import pytest

LINES = [
    b'{"id": "a", "label": "@0", "text": "cat"}',
    b'{ "label"  :\t"@1" , "id":"b","meta":{"label":"dog","deep":[{"label":"cat"}]} }',
    b'{"l\\u0061bel":"@2","id":"c"}',
    b'{"id":"d","note":"label","label":"@3"}',
    b'{"text":"a } \\" {","label":"@4","id":"e","big":9007199254740993,"x":1.10}',
    b'{"id":"f","label":"@5"}',
]
LABELS = [b"cat", b"dog", b"eel", b"cat", b"dog", b"eel"]


def fill(lines, labels, end=b"\n"):
    data = end.join(lines) + end
    for row, label in enumerate(labels):
        data = data.replace(b"@%d" % row, label)
    return data


@pytest.mark.fault(41, "HOLDS")
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n", b" \n"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_only_the_bytes_of_decided_values_differ(bench, end, mark):
    path = bench.write("labels.jsonl", mark + fill(LINES, LABELS, end))
    bench.probs([0, 1, 2, 0, 1, 2])
    assert bench.cleaned() == path.read_bytes()
    bench.relabel({0: "dog", 1: "eel", 2: "dog", 3: "eel", 4: "cat"})
    decided = [b"dog", b"eel", b"dog", b"eel", b"cat", b"eel"]
    assert bench.cleaned() == mark + fill(LINES, decided, end)


def test_numbers_stay_numbers_and_text_stays_text(bench):
    bench.write("labels.jsonl", b'{"label": 0}\n{"label":1 }\n{"label": 2}\n')
    bench.probs([0, 1, 2]).relabel({0: 2, 2: 1})
    assert bench.cleaned() == b'{"label": 2}\n{"label":1 }\n{"label": 1}\n'


def test_names_are_escaped_where_the_line_is_plain_ascii(bench):
    bench.write(
        "labels.jsonl", '{"label": "caf\\u00e9"}\n{"label":"x"}\n{"label":"x","t":"é"}\n'.encode()
    )
    bench.probs([0, 1, 1], 2).relabel({1: "café", 2: "café"})
    after = '{"label": "caf\\u00e9"}\n{"label":"caf\\u00e9"}\n{"label":"café","t":"é"}\n'
    assert bench.cleaned() == after.encode()


def test_excluded_lines_are_dropped_or_flagged(bench):
    bench.write("labels.jsonl", b'{"label":"x"}\n\n{"label":"y"}\n{"label":"x"}')
    bench.probs([0, 1, 0], 2).decide(1, "exclude")
    assert bench.cleaned() == b'{"label":"x"}\n\n{"label":"x"}'
    flagged = [json.loads(line) for line in bench.cleaned(excluded="flag").splitlines() if line]
    assert [each["excluded"] for each in flagged] == [False, True, False]


def test_rows_without_a_label_are_untouched(bench):
    bench.write("labels.jsonl", b'{"label":"x"}\n{"label":null}\n{}\n{"label":"y"}\n')
    bench.probs([0, 0, 0, 1], 2).relabel({1: "x"})
    assert bench.cleaned() == b'{"label":"x"}\n{"label":null}\n{}\n{"label":"x"}\n'
