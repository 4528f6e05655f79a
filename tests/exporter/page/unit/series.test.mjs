// A counter's values over time, while instances come and go.

import './here.mjs';
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {appendSample, forget, lastValue} from '../../../../exporter/page/data/series.js';

const newBlock = () => ({counterset: 'Process', counter: '% Processor Time', times: [], lines: new Map()});
const process = (name, id) => ({name, duplicate: 0, process_id: id});
const linesOf = (block) => [...block.lines.values()].map(({identity, values}) => [identity.process_id ?? identity.name, values]);

test('each line has a value for each time, wherever its instance begins and ends', () => {
  const block = newBlock();
  appendSample(block, 1000, [process('a', 1)], [5], null);
  appendSample(block, 2000, [process('a', 1), process('b', 2)], [6, 0], null);
  appendSample(block, 3000, [process('b', 2)], [7], null);
  assert.deepEqual(block.times, [1000, 2000, 3000]);
  assert.deepEqual(linesOf(block), [[1, [5, 6, undefined]], [2, [undefined, 0, 7]]]);
  assert.equal(lastValue([...block.lines.values()][0]), undefined);
  assert.equal(lastValue([...block.lines.values()][1]), 7);
});

test('a process that ends and a new one of its name are two lines', () => {
  const block = newBlock();
  appendSample(block, 1000, [process('w3wp', 1)], [5], null);
  appendSample(block, 2000, [process('w3wp', 9)], [6], null);
  appendSample(block, 3000, [process('w3wp', 9)], [7], null);
  assert.deepEqual(linesOf(block), [[1, [5, undefined, undefined]], [9, [undefined, 6, 7]]]);
});

test('perfmon\'s number moves to another process, its line does not', () => {
  const block = newBlock();
  appendSample(block, 1000, [{name: 'w', duplicate: 0, process_id: 1}, {name: 'w', duplicate: 1, process_id: 2}], [10, 20], null);
  appendSample(block, 2000, [{name: 'w', duplicate: 0, process_id: 2}], [21], null);
  assert.deepEqual(linesOf(block), [[1, [10, undefined]], [2, [20, 21]]]);
});

test('a missing value is null with its reason, which a value ends', () => {
  const block = newBlock();
  const [line] = [() => [...block.lines.values()][0]];
  appendSample(block, 1000, [{name: 'C:'}], [null], ['first_sample']);
  assert.deepEqual([line().values, line().reason], [[null], 'first_sample']);
  appendSample(block, 2000, [{name: 'C:'}], [0], [null]);
  assert.deepEqual([line().values, line().reason], [[null, 0], null]);
  appendSample(block, 3000, [{name: 'C:'}], [null], null);
  assert.deepEqual([line().values, line().reason], [[null, 0, null], null]);
});

test('an older sample changes nothing', () => {
  const block = newBlock();
  appendSample(block, 1000, [{name: 'C:'}], [1], null);
  for (const time of [997, 0, -1]) appendSample(block, time, [{name: 'C:'}, {name: 'D:'}], [2, 3], null);
  assert.deepEqual(block.times, [1000]);
  assert.deepEqual(linesOf(block), [['C:', [1]]]);
});

test('a sample that the block has changes nothing', () => {
  const block = newBlock();
  appendSample(block, 1000, [{name: 'C:'}, {name: 'D:'}], [1, 2], null);
  appendSample(block, 2000, [{name: 'C:'}], [3], null);
  for (const time of [2000, 2002, 1999]) appendSample(block, time, [{name: 'C:'}, {name: 'D:'}], [9, 4], null);
  assert.deepEqual(block.times, [1000, 2000]);
  assert.deepEqual(linesOf(block), [['C:', [1, 3]], ['D:', [2, undefined]]]);
  appendSample(block, 2003, [{name: 'C:'}], [5], null);
  assert.deepEqual(block.times, [1000, 2000, 2003]);
});

test('two instances that perfmon calls alike do not shift a line', () => {
  const block = newBlock();
  appendSample(block, 1000, [{name: 'a#1'}, {name: 'a', duplicate: 1}], [1, 2], null);
  appendSample(block, 2000, [{name: 'a#1'}], [3], null);
  assert.deepEqual(linesOf(block), [['a#1', [1, 3]]]);
});

test('a sample without instances is a time at which there was none', () => {
  const block = newBlock();
  appendSample(block, 1000, [process('a', 1)], [5], null);
  appendSample(block, 2000, [], [], null);
  assert.deepEqual(linesOf(block), [[1, [5, undefined]]]);
});

test('what is too old is forgotten, and an instance of which nothing is left', () => {
  const block = newBlock();
  for (let second = 0; second < 10; ++second) {
    const there = [process('stays', 1), ...(second < 4 ? [process('ends', 2)] : [])];
    appendSample(block, second * 1000, there, there.map(() => second), null);
  }
  forget(block, 6000);
  assert.deepEqual(block.times, [3000, 4000, 5000, 6000, 7000, 8000, 9000]);
  assert.deepEqual(linesOf(block).map(([id, values]) => [id, values[0], values.length]), [[1, 3, 7], [2, 3, 7]]);
  forget(block, 5000);
  assert.deepEqual(linesOf(block).map(([id]) => id), [1]);
  forget(block, 5000);
  assert.equal(block.times.length, 6);
  forget(newBlock(), 1000);
});

test('hours of processes that last a second do not grow', () => {
  const block = newBlock();
  for (let second = 0; second < 20_000; ++second) {
    appendSample(block, second * 1000, [process('w3wp', second), process('System', 4)], [1, 2], null);
    forget(block, 60_000);
  }
  assert.equal(block.times.length, 61);
  assert.ok(block.lines.size <= 62, `${block.lines.size} lines`);
  for (const line of block.lines.values()) assert.equal(line.values.length, 61);
});
