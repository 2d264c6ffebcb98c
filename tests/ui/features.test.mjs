// What the values of a row of a table say, in words.
import assert from "node:assert/strict";
import test from "node:test";

import {
  describeEvidence,
  describeTypical,
  formatNumber,
} from "../../curation/ui/review/component/feature_words.js";

test("numbers have four digits, and no more than they need", () => {
  const written = [1290, 14.394, 0.000012, -3.5, 123456, 0, 2e9].map(formatNumber);
  assert.deepEqual(written, ["1,290", "14.39", "0.0000120", "−3.5", "123,500", "0", "2.00e+9"]);
});

test("evidence names the class for which a value is likelier, and the factor", () => {
  assert.equal(describeEvidence(Math.log(2.44), "cat", "dog"), "2.4 × likelier for dog");
  assert.equal(describeEvidence(-Math.log(22), "cat", "dog"), "22 × likelier for cat");
  assert.equal(describeEvidence(99, "cat", "dog"), "over 1,000 × likelier for dog");
  assert.equal(describeEvidence(0.05, "cat", "dog"), "");
});

test("what is typical is a range, or the share that has the value", () => {
  const nothing = { low: null, middle: null, high: null, share: null, commonest: null };
  assert.equal(describeTypical({ ...nothing, low: 1, middle: 2, high: 3.25 }), "1 to 3.25");
  assert.equal(
    describeTypical({ ...nothing, share: 0.625, commonest: "red" }),
    "63 % · mostly red",
  );
  assert.equal(describeTypical({ ...nothing, share: 0.001 }), "under 1 %");
  assert.equal(describeTypical({ ...nothing, share: 0 }), "0 %");
  assert.equal(describeTypical({ ...nothing, commonest: "red" }), "mostly red");
});
