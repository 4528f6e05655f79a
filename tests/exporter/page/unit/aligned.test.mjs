// Lines of countersets that are sampled at different times, on one axis.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {aligned} from '../../../../exporter/page/parts/aligned.js';

test('no line has no times', () => {
  assert.deepEqual(aligned([]), [[]]);
});

test('lines of one counterset keep their times, and what is missing is a gap', () => {
  const times = [1000, 2000, 3500];
  assert.deepEqual(aligned([{times, values: [0, null, -1]}, {times, values: [undefined, 2, 3]}]), [
    [1, 2, 3.5], [0, null, -1], [null, 2, 3],
  ]);
});

test('at the times of others a line goes on, and its own gaps stay', () => {
  assert.deepEqual(aligned([{times: [1000, 3000, 5000], values: [1, null, 5]}, {times: [2000, 3000, 6000], values: [20, 30, undefined]}]), [
    [1, 2, 3, 5, 6],
    [1, undefined, null, 5, undefined],
    [undefined, 20, 30, undefined, null],
  ]);
});

test('equal times of different countersets are one time', () => {
  assert.deepEqual(aligned([{times: [1000, 2000], values: [1, 2]}, {times: [1000, 2000], values: [3, 4]}]), [[1, 2], [1, 2], [3, 4]]);
});

test('a line that has no sample yet is empty', () => {
  assert.deepEqual(aligned([{times: [1000, 2000], values: [1, 2]}, {times: [], values: []}]), [[1, 2], [1, 2], [undefined, undefined]]);
});

test('values are scaled for each line, gaps are not', () => {
  const times = [1000, 2000];
  const scaled = (value, line) => value * (line + 1) * 10;
  assert.deepEqual(aligned([{times, values: [0, 1]}, {times, values: [null, 1]}], scaled), [[1, 2], [0, 10], [null, 20]]);
});
