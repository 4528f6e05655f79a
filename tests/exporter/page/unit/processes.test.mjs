// Processes as rows: what a sample and a moment of the past make of them, which started which, what a text finds, and the address.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {countersetOf, SLOT} from '../../../../exporter/page/screens/processes/counters.js';
import {finder} from '../../../../exporter/page/screens/processes/filter.js';
import {inUse, makeRow, ProcessRows, processorsOf} from '../../../../exporter/page/screens/processes/rows.js';
import {paramsOf, spanOf, stateOf} from '../../../../exporter/page/screens/processes/state.js';
import {linkParents, treeOrder, withParents} from '../../../../exporter/page/screens/processes/tree.js';

const TIME = '2026-11-28T12:00:00.0000000Z';

function sample(processes, time = TIME) {
  const reasons = processes.map((one) => one.why ?? null);
  const column = (name, key) => ({name, cooked: processes.map((one) => one[key] ?? null), reasons});
  return {
    sampled_at: time,
    instances: processes.map(({name, pid}) => ({name, process_id: pid})),
    counters: [column('% Processor Time', 'cpu'), column('Creating Process ID', 'parent'), column('Elapsed Time', 'age'),
      column('Pool Paged Bytes', 'cpu')],
  };
}

function rowsOf(processes) {
  const known = new ProcessRows();
  known.take(sample(processes));
  linkParents(known.rows);
  return known.rows;
}

const names = (rows) => rows.map((row) => row.name).join(' ');
const byName = (one, other) => (one.name < other.name ? -1 : 1);

test('a process keeps its row, and what is gone is told', () => {
  const known = new ProcessRows();
  known.take(sample([{name: 'a', pid: 4, cpu: 1}, {name: 'b', pid: 8, cpu: 2}]));
  const [first] = known.rows;
  const ended = known.take(sample([{name: 'a', pid: 4, cpu: 3}, {name: 'c', pid: 12, cpu: 4}], '2026-11-28T12:00:05Z'));
  assert.equal(known.rows[0], first);
  assert.equal(first.values[SLOT.cpu], 3);
  assert.equal(names(ended), 'b');
  assert.equal(names(known.rows), 'a c');
});

test('the total and the idle process are no rows, but tell how much is in use', () => {
  const known = new ProcessRows();
  known.take(sample([{name: 'Idle', pid: 0, cpu: 500}, {name: '_Total', pid: 0, cpu: 800}, {name: 'Idle', pid: 77, cpu: 1}]));
  assert.deepEqual(known.rows.map((row) => row.pid), [77]);
  assert.equal(inUse(known.idle, processorsOf(known.total)), 37.5);
  assert.equal(inUse(NaN, 8), null);
  assert.equal(inUse(500, null), null);
  assert.equal(processorsOf(799.3), 8);
  assert.equal(processorsOf(744), null, 'a process has ended');
  assert.equal(processorsOf(NaN), null);
});

test('a missing value is none, with its reason, and never 0', () => {
  const [row] = rowsOf([{name: 'a', pid: 4, why: 'first_sample'}]);
  assert.ok(Number.isNaN(row.values[SLOT.cpu]));
  assert.equal(row.reasons[SLOT.cpu], 'first_sample');
});

test('names of Process V2 are shown without the id', () => {
  const row = makeRow({name: 'a:b:8', process_id: 8});
  assert.equal(row.name, 'a:b');
  assert.equal(makeRow({name: 'w3wp:12'}).pid, 12);
  assert.equal(makeRow({name: 'odd:5', process_id: 8}).name, 'odd:5');
  assert.equal(countersetOf(['Memory', 'Process V2']), 'Process V2');
  assert.equal(countersetOf(['Process V2', 'Process']), 'Process');
  assert.equal(countersetOf(['Memory']), null);
});

test('a moment of the past makes the same rows', () => {
  const known = new ProcessRows();
  known.takeMoment([
    {counter: '% Processor Time', times: [1000], instances: [{instance: 'a', process_id: 4, cooked: [7], owner: 'X\\y'}]},
    {counter: 'Thread Count', times: [1000], instances: [{instance: 'b', process_id: 8, cooked: [null], reasons: ['gap']},
      {instance: 'a', process_id: 4, cooked: [3]}]},
  ]);
  assert.equal(names(known.rows), 'a b');
  assert.equal(known.rows[0].values[SLOT.threads], 3);
  assert.equal(known.rows[0].owner, 'X\\y');
  assert.equal(known.rows[1].reasons[SLOT.threads], 'gap');
  assert.equal(known.time, 1000);
});

test('a moment of which nothing is known has no rows', () => {
  const known = new ProcessRows();
  known.takeMoment([{counter: '% Processor Time', times: [], instances: []}]);
  assert.equal(known.rows.length, 0);
  assert.ok(Number.isNaN(known.time), 'it is no time that could be written');
});

test('a tree has each process below the one that started it', () => {
  const rows = rowsOf([{name: 'c', pid: 12, parent: 8, age: 10}, {name: 'b', pid: 8, parent: 4, age: 50},
    {name: 'd', pid: 16, parent: 8, age: 5}, {name: 'a', pid: 4, parent: 0, age: 100}, {name: 'lost', pid: 20, parent: 999, age: 3}]);
  const order = treeOrder(rows, byName);
  assert.equal(names(order), 'a b c d lost');
  assert.deepEqual(order.map((row) => row.depth), [1, 2, 3, 3, 1]);
  assert.equal(names([...withParents([rows[0]])]), 'c b a');
});

test('what started after its child is not its parent: the id was used again', () => {
  const rows = rowsOf([{name: 'child', pid: 12, parent: 8, age: 100}, {name: 'younger', pid: 8, parent: 0, age: 10}]);
  assert.equal(rows[0].parent, null);
});

test('circles end', () => {
  const rows = rowsOf([{name: 'a', pid: 4, parent: 8}, {name: 'b', pid: 8, parent: 4}, {name: 'self', pid: 12, parent: 12}]);
  assert.deepEqual(names(treeOrder(rows, byName)).split(' ').sort(), ['a', 'b', 'self']);
  assert.equal(withParents(rows).size, 3);
});

test('a chain of thousands is no problem for a tree', () => {
  const rows = rowsOf(Array.from({length: 5000}, (_, index) => ({name: `p${index}`, pid: index + 1, parent: index, age: 9000 - index})));
  assert.equal(treeOrder(rows, byName).at(-1).depth, 5000);
});

test('each word of the filter is in the name, the id, the owner or the command line', () => {
  const row = Object.assign(makeRow({name: 'w3wp', process_id: 3044}), {owner: 'IIS APPPOOL\\Shop', command: 'w3wp.exe -ap "Shop"'});
  for (const text of ['', '  ', 'W3', '304', 'shop', 'w3 -AP', 'apppool 3044']) assert.ok(finder(text)(row), text);
  for (const text of ['sql', 'w3 sql', '999']) assert.ok(!finder(text)(row), text);
});

test('what the address says comes back', () => {
  const state = {at: 1795867200000, pid: 44, text: 'a&b', sort: {column: 'memory', descending: false}, isTree: true, show: 'ended'};
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(paramsOf(state))) if (value) params.set(name, value);
  assert.deepEqual(stateOf(new URLSearchParams(params.toString())), state);
  const plain = stateOf(new URLSearchParams('at=nonsense&pid=x&show=<b>'));
  assert.deepEqual(plain, {at: null, pid: null, text: '', sort: {column: 'cpu', descending: true}, isTree: false, show: 'all'});
  assert.deepEqual(Object.values(paramsOf(plain)).filter(Boolean), []);
});

test('the span is a quarter of an hour up to now, or around the moment', () => {
  assert.deepEqual(spanOf(null, 2_000_000), [1_100_000, 2_000_000]);
  assert.deepEqual(spanOf(1_000_000, 9_000_000), [550_000, 1_450_000]);
  assert.deepEqual(spanOf(1_900_000, 2_000_000), [1_100_000, 2_000_000]);
});
