// What the answers about a machine say of its state.

import './here.mjs';
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {numbersOf, pathsOf, placeOf, stateOf, wordOf} from '../../../../exporter/page/screens/machines/state.js';

const refused = (reason, detail = 'x') => stateOf(null, {status: 503, detail, reason});
const counterset = (name, status, reason = null, age = 1, sentence = reason) => ({name, status, reason, sentence, age_seconds: age});
const read = (...countersets) => stateOf({countersets}, null);

test('a machine that was never read has its state by the reason of the API', () => {
  const states = {access_denied: 'denied', os_error: 'unreachable', timed_out: 'hangs', pending: 'hangs', worker_crashed: 'failing',
    not_sampled_yet: 'waiting'};
  for (const [reason, state] of Object.entries(states)) assert.equal(refused(reason).state, state, reason);
  assert.equal(refused(null).state, 'failing');
  assert.equal(refused('os_error', 'this target could not be read yet: remote.connect failed (system error 53)').why,
    'remote.connect failed (system error 53).');
  assert.equal(refused('not_sampled_yet', 'this target has not been sampled yet').why, 'This target has not been sampled yet.');
  assert.equal(refused(null).age, null);
});

test('before there is an answer, it is being asked', () => {
  assert.deepEqual(stateOf(null, null), {state: 'asked', why: '', ok: 0, bad: 0, age: null});
});

test('countersets are counted, and the age is that of the latest sample', () => {
  const found = read(counterset('A', 'ok', null, 7), counterset('B', 'ok', null, 3), counterset('C', 'absent', 'no_such_name', null));
  assert.deepEqual(found, {state: 'good', why: '', ok: 2, bad: 0, age: 3});
  assert.equal(read(counterset('A', 'pending', null, null)).state, 'waiting');
  assert.equal(read().state, 'waiting');
});

test('some that fail make it partly so, all by what most of them say', () => {
  const fails = (reason) => counterset(reason, 'failed', reason, null, `it ${reason}`);
  assert.equal(read(counterset('A', 'ok'), fails('timed_out')).state, 'partly');
  assert.equal(read(fails('timed_out'), fails('timed_out'), fails('access_denied')).state, 'hangs');
  assert.equal(read(fails('timed_out'), fails('timed_out'), fails('access_denied')).why, 'It timed_out.');
  assert.equal(read(fails('access_denied')).state, 'denied');
  assert.equal(read(fails('os_error')).state, 'unreachable');
  assert.equal(read(fails('bad_size')).state, 'failing');
  assert.equal(read(counterset('A', 'stale', 'timed_out', 100)).state, 'hangs');
});

test('each state has a word and a place, the worst the first', () => {
  const states = ['unreachable', 'denied', 'hangs', 'failing', 'partly', 'waiting', 'asked', 'good'];
  assert.deepEqual(states.map(placeOf), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(new Set(states.map((state) => wordOf(state)[1])).size, states.length);
});

test('only what the machine has is asked for', () => {
  const ok = (name) => counterset(name, 'ok');
  assert.deepEqual(pathsOf([ok('Processor'), ok('Processor Information'), ok('Memory')]),
    ['\\Processor Information(_Total)\\% Processor Time', '\\Memory\\Available Bytes']);
  assert.deepEqual(pathsOf([ok('Processor'), counterset('Memory', 'failed')]), ['\\Processor(_Total)\\% Processor Time']);
  assert.deepEqual(pathsOf([]), []);
});

test('a value that is missing keeps its reason; what is not sampled is none', () => {
  const sample = {countersets: [{counters: [{name: '% Processor Time', cooked: [null], reasons: ['first_sample']}]}, {counters: []}]};
  assert.deepEqual(numbersOf(sample), {cpu: {value: null, reason: 'first_sample'}, memory: null});
  assert.deepEqual(numbersOf(null), {cpu: null, memory: null});
});
