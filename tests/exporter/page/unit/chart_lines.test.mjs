// The lines of a chart: from what the recorder and the stream have to pens, heights, numbers and files.

import './here.mjs';
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {merged} from '../../../../exporter/page/data/history.js';
import {samplesOf} from '../../../../exporter/page/data/series.js';
import {ranked} from '../../../../exporter/page/screens/chart/ranks.js';
import {appended, blocksOf, continued, isLike, later, linesOf, moved, since} from '../../../../exporter/page/screens/chart/blocks.js';
import {csvOf, field} from '../../../../exporter/page/screens/chart/csv.js';
import {breakAtGaps} from '../../../../exporter/page/screens/chart/gaps.js';
import {penOf, Pens} from '../../../../exporter/page/screens/chart/pens.js';
import {powerFor, powerText, scaleText, scaling} from '../../../../exporter/page/screens/chart/scales.js';
import {greatest, indexAt, statistics} from '../../../../exporter/page/screens/chart/statistics.js';

const counter = (times, instances) => ({counterset: 'Disk', counter: 'Bytes/sec', times, instances});
const block = (times, instances) => blocksOf([counter(times, instances)])[0];
const valuesOf = ({lines}) => Object.fromEntries([...lines.values()].map(({identity, values}) => [identity.instance ?? identity.name, values]));
const all = {most: 100, isDropped: () => false, isKnown: () => false};
const percent = {kind: 'percent', factor: 1};
const bytes = {kind: 'bytes', factor: 1};

test('a step without a window is no value, one with a reason is a missing value', () => {
  const {lines} = block([1, 2, 3], [{instance: 'C:', cooked: [null, null, 5], reasons: [null, 'gap', null], min: [null, null, 4]}]);
  const [line] = lines.values();
  assert.deepEqual([line.values, line.least, line.reason], [[undefined, null, 5], [null, null, 4], null]);
});

test('of a gauge, a step has its mean', () => {
  assert.deepEqual(valuesOf(block([1, 2], [{instance: 'C:', cooked: [5, 7], mean: [6, null]}])), {'C:': [6, 7]});
});

test('newer steps take the place of those that were not over', () => {
  const [joined] = continued([block([10, 20, 25], [{instance: 'C:', cooked: [1, 2, 3]}])],
    [block([15, 30, 40], [{instance: 'C:', cooked: [9, 4, 5]}, {instance: 'D:', cooked: [9, 6, 7]}])], 20);
  assert.deepEqual(joined.times, [10, 20, 30, 40]);
  assert.deepEqual(valuesOf(joined), {'C:': [1, 2, 4, 5], 'D:': [undefined, undefined, 6, 7]});
});

test('samples of the stream follow those of the recorder, each once', () => {
  const steps = [block([1000, 2000], [{instance: 'C:', cooked: [1, 2]}])];
  const tail = [block([2001, 3000], [{instance: 'C:', cooked: [8, 3]}])];
  assert.deepEqual(valuesOf(appended(steps, tail)[0]), {'C:': [1, 2, 3]});
  assert.deepEqual(later(tail, steps)[0].times, [3000]);
  assert.deepEqual(valuesOf(appended([], tail)[0]), {'C:': [8, 3]});
});

test('what is too old goes, with the instances that have nothing else', () => {
  const [rest] = since([block([10, 20, 30], [{instance: 'C:', cooked: [1, 2, 3]}, {instance: 'D:', cooked: [1, null, null]}])], 20);
  assert.deepEqual([rest.times, valuesOf(rest)], [[20, 30], {'C:': [2, 3]}]);
  assert.deepEqual(moved([rest], 5)[0].times, [25, 35]);
});

test('two paths of one counter are one counter with the instances of both', () => {
  const [one, ...others] = merged([counter([1, 2], [{instance: 'C:', cooked: [1, 2]}]),
    counter([2, 3], [{instance: 'D:', cooked: [5, 6]}, {instance: 'C:', cooked: [2, 3]}])]);
  assert.equal(others.length, 0);
  assert.deepEqual(one.times, [1, 2, 3]);
  assert.deepEqual(one.instances, [{instance: 'C:', cooked: [1, 2, null]}, {instance: 'D:', cooked: [null, 5, 6]}]);
  const part = (name, value) => ({counterset: 'Disk', sampled_at: '2026-11-28T12:00:00Z', instances: [{name}], counters: [{name: 'x', cooked: [value]}]});
  const samples = samplesOf({values: [part('C:', 1), part('D:', 2), {counterset: 'Disk', error: 'x'}]});
  assert.deepEqual(samples.map(({instances, values}) => [instances.map(({name}) => name), values]), [[['C:', 'D:'], [1, 2]]]);
});

test('a pattern matches any text in any case, and never takes long', () => {
  assert.ok(isLike('\\Processor(_Total)\\% Idle', '\\processor(*)\\*idle'));
  assert.ok(isLike('abc', '*') && isLike('abc', 'a*c') && isLike('abcbc', 'a*bc') && isLike('', '*'));
  assert.ok(!isLike('abc', 'ab') && !isLike('abc', 'a*d') && !isLike('abc', 'a.c'));
  assert.ok(!isLike('a'.repeat(1000), `${'a*'.repeat(400)}b`));
});

test('lines come in the order of their paths, totals first, and names as numbers', () => {
  const cooked = [1];
  const blocks = [block([1], ['10 D:', '2 C:', '_Total'].map((instance) => ({instance, cooked}))),
    {...blocksOf([{counterset: 'Memory', counter: 'Available Bytes', times: [1], instances: [{instance: '', cooked}]}])[0]}];
  const {lines} = linesOf(blocks, ['\\Memory\\Available Bytes', '\\Disk(*)\\Bytes/sec'], all);
  assert.deepEqual(lines.map(({name}) => name),
    ['\\Memory\\Available Bytes', '\\Disk(_Total)\\Bytes/sec', '\\Disk(2 C:)\\Bytes/sec', '\\Disk(10 D:)\\Bytes/sec']);
  assert.equal(lines[0].instance, null);
  const without = linesOf(blocks, ['\\Disk(*)\\Bytes/sec'], {...all, isDropped: (name) => name.includes('_Total')});
  assert.deepEqual(without.lines.map(({path}) => path), ['\\Disk(*)\\Bytes/sec', '\\Disk(*)\\Bytes/sec', null]);
});

test('of too many lines, the greatest are drawn, and those that are drawn stay', () => {
  const blocks = [block([1, 2], [1, 9, 5, 7].map((value) => ({instance: `i${value}`, cooked: [0, value]})))];
  const choose = (isKnown) => linesOf(blocks, ['\\Disk(*)\\Bytes/sec'], {...all, most: 2, isKnown});
  assert.deepEqual(choose(() => false).lines.map(({instance}) => instance), ['i7', 'i9']);
  assert.equal(choose(() => false).leftOut, 2);
  assert.deepEqual(choose((key) => key.endsWith('i1')).lines.map(({instance}) => instance), ['i1', 'i9']);
});

test('fifty pens differ, and a line keeps its pen', () => {
  assert.equal(new Set(Array.from({length: 50}, (_, index) => JSON.stringify(penOf(index)))).size, 50);
  const pens = new Pens();
  pens.assign(['a', 'b', 'c']);
  pens.assign(['c', 'd']);
  assert.deepEqual([pens.of('c'), pens.of('d')], [penOf(2), penOf(0)]);
});

test('lines of one unit have it on their axis', () => {
  assert.deepEqual(scaling([{unit: percent, most: 80}, {unit: percent, most: 3}]),
    {unit: percent, factors: [1, 1], powers: [null, null], top: 100});
  assert.equal(scaling([{unit: percent, most: 12}]).top, undefined);
  assert.deepEqual(scaling([{unit: {kind: 'bytes', factor: 1024}, most: 9}, {unit: bytes, most: 9}]).factors, [1024, 1]);
  assert.equal(scaling([]).unit.kind, 'number');
});

test('lines of several units fit below 100, as in perfmon', () => {
  const {unit, factors, powers, top} = scaling([{unit: percent, most: 80}, {unit: bytes, most: 6e9}, {unit: bytes, most: 0}]);
  assert.deepEqual([unit.kind, powers, top], ['number', [0, -8, 0], 100]);
  assert.equal(factors[1] * 6e9, 60);
  assert.deepEqual(scaling([{unit: percent, most: 80, chosen: 2}]).top, undefined);
});

test('a scale is the largest power of ten that fits, within those of perfmon', () => {
  assert.deepEqual([100, 101, 1000, 0.001, 99, 1e30, 1e-30, 0, NaN].map(powerFor), [0, -1, -1, 5, 0, -9, 9, 0, 0]);
  assert.deepEqual([0, 3, -1, -9].map(scaleText), ['1.0', '1000', '0.1', '0.000000001']);
  assert.deepEqual([0, 12, -8].map(powerText), ['×10⁰', '×10¹²', '×10⁻⁸']);
});

test('an average counts each value for as long as it lasted, and missing ones not at all', () => {
  const line = {times: [0, 1000, 2000, 62_000, 63_000], values: [1, 1, null, 4, undefined], reasons: [null, null, 'gap', null, null]};
  const {average, least, most, last, count, missing} = statistics(line, 0, 62_000);
  assert.ok(Math.abs(average - (1 + 1 + 4 * 60) / 62) < 1e-12);
  assert.deepEqual([least, most, last, count, missing], [1, 4, 4, 3, 1]);
  assert.equal(statistics(line, 0, 63_000).last, undefined);
  assert.deepEqual([statistics(line, 0, 2000).last, statistics(line, 0, 2000).reason], [null, 'gap']);
  assert.deepEqual([statistics(line, 1500, 2500).average, statistics(line, 1500, 2500).least], [null, null]);
  assert.equal(statistics({times: [5], values: [-3]}, 0, 9).average, -3);
});

test('the least and the most are of all samples of a step', () => {
  const {least, most} = statistics({times: [1, 2], values: [5, -5], least: [1, null], most: [null, 8]}, 0, 3);
  assert.deepEqual([least, most], [-5, 8]);
  assert.equal(greatest({least: -9, most: 8}), 9);
});

test('the sample at a time is the last one before it', () => {
  assert.deepEqual([5, 10, 15, 30, 99].map((time) => indexAt([10, 20, 30], time)), [-1, 0, 0, 2, 2]);
});

test('a line is interrupted at a gap, unless it has samples there', () => {
  const data = [[0, 10, 20, 30], [1, undefined, undefined, 2], [1, 1, 1, 1]];
  breakAtGaps(data, [{time: 0, until: 30_000}, {time: 30_000}, {time: 40_000, until: 50_000}]);
  assert.deepEqual(data, [[0, 10, 15, 20, 30], [1, undefined, null, undefined, 2], [1, 1, undefined, 1, 1]]);
});

test('CSV has a column for each line, all digits, and nothing where there is no value', () => {
  const lines = [{name: '\\A(x,y)\\b', times: [0, 1000], values: [0.1, null]}, {name: '\\C\\"d"', times: [500, 1000, 9000], values: [1e21, 2, 3]}];
  assert.equal(csvOf(lines, 0, 1000), 'Time (UTC),"\\A(x,y)\\b","\\C\\""d"""\r\n1970-01-01T00:00:00.000Z,0.1,\r\n' +
    '1970-01-01T00:00:00.500Z,,1e+21\r\n1970-01-01T00:00:01.000Z,,2\r\n');
});

test('a name is never a formula of a spreadsheet', () => {
  for (const text of ['=1+1', '+1', '-1', '@a', '\t=1', '\r=1']) assert.match(field(text), /^"?'/);
  assert.equal(field('\\Memory\\x'), '\\Memory\\x');
  assert.equal(field('a\nb'), '"a\nb"');
});

test('counters that begin with the word come first', () => {
  const named = (name, counterset = 'Other') => ({name, counterset});
  const found = [named('x', 'Z'), named('Idle', 'Processor'), named('A Processor'), named('% Processor Time'), named('Processor Queue')];
  assert.deepEqual(ranked(found, 'processor').map(({name}) => name), ['% Processor Time', 'Processor Queue', 'Idle', 'A Processor', 'x']);
});

test('processes of one name have their ids in a CSV file', () => {
  const line = (name, id) => ({name, identity: {process_id: id}, times: [0], values: [1]});
  const lines = [line('\\Process(a)\\b', 4), line('\\Process(a)\\b', 8), line('\\Process(c)\\b', 9)];
  assert.equal(csvOf(lines, 0, 1000).split('\r\n')[0],
    'Time (UTC),\\Process(a)\\b (process 4),\\Process(a)\\b (process 8),\\Process(c)\\b');
});
