// Which time a chart shows, and what its address says of it.

import './here.mjs';
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {between, edges, lengthOf, lengthText, panned, zoomed} from '../../../../exporter/page/screens/chart/span.js';
import {offsetOf, paramsOf, stateOf} from '../../../../exporter/page/screens/chart/state.js';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 28, 12);
const bounds = {now: NOW, oldest: NOW - 180 * MINUTE};
const still = (from, to) => ({live: false, from: NOW + from * MINUTE, to: NOW + to * MINUTE});

test('a live time ends with the last sample', () => {
  assert.deepEqual(edges({live: true, length: 15 * MINUTE}, NOW), [NOW - 15 * MINUTE, NOW]);
  assert.deepEqual(edges(still(-9, -5), NOW), [NOW - 9 * MINUTE, NOW - 5 * MINUTE]);
});

test('a selection is that time, whichever way it was drawn, but never too short to have a sample', () => {
  assert.deepEqual(between(NOW, NOW - MINUTE), still(-1, 0));
  const {from, to} = between(NOW - 10, NOW);
  assert.equal(to - from, 10_000);
});

test('a live time that is zoomed without a place stays live', () => {
  assert.deepEqual(zoomed({live: true, length: 15 * MINUTE}, 0.5, bounds), {live: true, length: 7.5 * MINUTE});
  assert.equal(zoomed({live: true, length: 100 * MINUTE}, 10, bounds).length, 180 * MINUTE);
});

test('zooming keeps the time under the pointer where it is', () => {
  assert.deepEqual(zoomed(still(-40, -20), 0.5, {...bounds, at: NOW - 35 * MINUTE}), still(-37.5, -27.5));
  assert.deepEqual(zoomed(still(-40, -20), 0.5, bounds), still(-35, -25));
});

test('moving ends at now and at what the recorder reaches back to', () => {
  assert.deepEqual(panned(still(-40, -20), -0.5, bounds), still(-50, -30));
  assert.deepEqual(panned(still(-40, -20), 5, bounds), still(-20, 0));
  assert.deepEqual(panned(still(-40, -20), -50, bounds), still(-180, -160));
  assert.deepEqual(panned(still(-40, -20), -50, {...bounds, oldest: null}), still(-1040, -1020));
});

test('lengths are written as the API has them', () => {
  for (const text of ['90s', '15m', '6h', '2d']) assert.equal(lengthText(lengthOf(text)), text);
  assert.equal(lengthOf('1h30m'), 90 * MINUTE);
  for (const text of ['', '0s', '5', 'm', '-5m', '1m1h', null, '99999999d']) assert.equal(lengthOf(text), null, text);
});

test('an address gives the same chart again', () => {
  const address = [['path', '\\Memory\\Available Bytes'], ['path', '\\Process(*)\\% Processor Time'], ['since', '2026-11-28T11:00:00.000Z'],
    ['until', '2026-11-28T11:30:00.000Z'], ['hide', '\\Process(a,b)\\% Processor Time'], ['drop', '\\Process(Idle)\\% Processor Time'],
    ['scale', '-6:\\Memory\\Available Bytes'], ['compare', '1d'], ['sort', 'average']];
  const params = paramsOf(stateOf(new URLSearchParams(address)));
  const again = Object.entries(params).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  assert.deepEqual(again, address);
});

test('what an address has wrong is as if it were not there', () => {
  const state = stateOf(new URLSearchParams([['since', 'x'], ['until', 'y'], ['scale', '99:a'], ['scale', 'b'], ['compare', '?'], ['sort', 'z']]));
  assert.deepEqual(state.view, {live: true, length: 15 * MINUTE});
  assert.deepEqual([state.scales.size, state.compare, state.sort], [0, null, null]);
  assert.equal(stateOf(new URLSearchParams([['since', '2026-11-28T12:00:00Z'], ['until', '2026-11-28T11:00:00Z']])).view.live, true);
  const many = Array.from({length: 60}, (_, index) => ['path', `\\a\\${index}`]);
  assert.equal(stateOf(new URLSearchParams(many)).paths.length, 50);
});

test('the span before is as long as the one that is shown', () => {
  assert.equal(offsetOf({view: still(-40, -20), compare: 'previous'}, NOW), 20 * MINUTE);
  assert.equal(offsetOf({view: still(-40, -20), compare: 1000}, NOW), 1000);
  assert.equal(offsetOf({view: still(-40, -20), compare: null}, NOW), null);
});
