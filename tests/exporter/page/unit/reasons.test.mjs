// Each reason of the exporter for a missing value has a sentence, and no other.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import {REASONS, whyMissing} from '../../../../exporter/page/parts/reasons.js';

// Of a value that JSON can't express (exporter/json/value_objects.h).
const OF_JSON = 'not_finite';

function reasonsOfExporter() {
  const text = readFileSync(new URL('../../../../collectors/model/raw_reading.h', import.meta.url), 'utf8');
  const [, list] = /kNames\{([^}]*)\}/.exec(text);
  return [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
}

test('the page knows the reasons that the exporter gives', () => {
  const reasons = reasonsOfExporter();
  assert.ok(reasons.length > 10);
  assert.deepEqual([...REASONS].sort(), [...reasons, OF_JSON].sort());
});

test('each has a sentence of its own', () => {
  const sentences = REASONS.map(whyMissing);
  assert.equal(new Set(sentences).size, REASONS.length);
  for (const sentence of sentences) assert.match(sentence, /^[A-Z].*\.$/);
});

test('a reason that the page does not know is said as it is', () => {
  assert.equal(whyMissing('some_new_reason'), 'There is no value: some new reason.');
  for (const none of [null, undefined, '']) assert.equal(whyMissing(none), 'There is no value.');
});
