// What started and what ended within a span.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Changes, MOST_LEADERS} from '../../../../exporter/page/screens/processes/changes.js';
import {SLOT} from '../../../../exporter/page/screens/processes/counters.js';
import {fillRow, makeRow} from '../../../../exporter/page/screens/processes/rows.js';

const at = (seconds) => Date.parse('2026-11-28T12:00:00Z') + seconds * 1000;
const text = (seconds) => new Date(at(seconds)).toISOString();
const leader = (instance, pid, more) =>
  ({instance, process_id: pid, from: text(0), to: text(60), cooked: 5, born: false, ended: false, ...more});

function changes() {
  const made = new Changes();
  made.move(at(0), at(900));
  return made;
}

test('top tells what ended, with its time, and what was born', () => {
  const made = changes();
  made.take({leaders: [leader('a', 4), leader('b', 8, {ended: true}), leader('c', 12, {born: true, from: text(30)})]});
  const rows = [makeRow({name: 'a', process_id: 4}), makeRow({name: 'c', process_id: 12})];
  made.mark(rows);
  assert.deepEqual(rows.map((row) => row.startedAt), [null, at(30)]);
  assert.deepEqual([...made.ended.values()].map((row) => [row.name, row.endedAt, row.values[SLOT.cpu]]), [['b', at(60), 5]]);
  assert.equal(made.isPart, false);
});

test('a process that started and ended within the span is in both', () => {
  const made = changes();
  made.take({leaders: [leader('b', 8, {born: true, ended: true})]});
  made.mark([]);
  assert.equal(made.started([]).length, 1);
  assert.equal(made.ended.size, 1);
});

test('what was seen to end keeps its values when top tells it, too', () => {
  const made = changes();
  const row = makeRow({name: 'b', process_id: 8});
  row.values[SLOT.threads] = 3;
  made.end([row], at(60));
  made.take({leaders: [leader('b', 8, {ended: true})]});
  assert.equal([...made.ended.values()][0].values[SLOT.threads], 3);
});

test('a start that the counters tell counts, even if top leaves it out', () => {
  const made = changes();
  const rows = [Object.assign(makeRow({name: 'new', process_id: 4}), {start: at(10)}),
    Object.assign(makeRow({name: 'old', process_id: 8}), {start: at(-10)})];
  made.mark(rows);
  assert.deepEqual(made.started(rows).map((row) => row.name), ['new']);
});

test('what leaves the span is forgotten', () => {
  const made = changes();
  made.end([makeRow({name: 'a', process_id: 4})], at(10));
  made.end([makeRow({name: 'b', process_id: 8})], at(500));
  made.move(at(100), at(1000));
  assert.deepEqual([...made.ended.values()].map((row) => row.name), ['b']);
});

test('nothing grows without end', () => {
  const made = changes();
  for (let pid = 1; pid < 6000; ++pid) made.end([makeRow({name: 'a', process_id: pid})], at(10));
  made.move(at(0), at(900));
  assert.equal(made.ended.size, 2000);
});

test('that there are more than top tells is said', () => {
  const made = changes();
  made.take({leaders: Array.from({length: MOST_LEADERS}, (_, pid) => leader('a', pid + 1))});
  assert.equal(made.isPart, true);
});

test('last values of an ended process are those of its id, and top’s stay where there is none', () => {
  const row = Object.assign(makeRow({instance: 'a', process_id: 4}), {endedAt: at(60)});
  row.values[SLOT.cpu] = 5;
  const found = fillRow(row, [
    {counter: '% Processor Time', instances: [{instance: 'a', process_id: 4, cooked: [null]}]},
    {counter: 'Thread Count', instances: [{instance: 'a', process_id: 99, cooked: [77]}, {instance: 'a', process_id: 4, cooked: [3]}]},
    {counter: 'Elapsed Time', instances: [{instance: 'a', process_id: 4, cooked: [50]}]},
  ]);
  assert.ok(found);
  assert.equal(row.values[SLOT.cpu], 5);
  assert.equal(row.values[SLOT.threads], 3);
  assert.equal(row.start, at(10));
  assert.equal(fillRow(row, []), false);
});
