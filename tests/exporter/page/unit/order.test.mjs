// The order of a table's rows, and that it is kept while somebody reads.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {comparison, heldOrder} from '../../../../exporter/page/parts/order.js';

const names = (rows) => rows.map((row) => row.name).join(' ');
const keyOf = (row) => row.name;

test('numbers are sorted both ways, and what is missing comes last in both', () => {
  const rows = [{name: 'a', value: 2}, {name: 'b', value: null}, {name: 'c', value: 10}, {name: 'd'}, {name: 'e', value: 0}];
  const valueOf = (row) => row.value;
  assert.equal(names([...rows].sort(comparison(valueOf, true, keyOf))), 'c a e b d');
  assert.equal(names([...rows].sort(comparison(valueOf, false, keyOf))), 'e a c b d');
});

test('texts are sorted as people read them, and equal values by what breaks ties', () => {
  const rows = [{name: 'w3wp#10'}, {name: 'w3wp#2'}, {name: 'System'}, {name: 'audiodg'}];
  assert.equal(names([...rows].sort(comparison(keyOf, false))), 'audiodg System w3wp#2 w3wp#10');
  assert.equal(names([...rows].sort(comparison(() => 1, true, keyOf))), 'System audiodg w3wp#10 w3wp#2');
});

test('while somebody reads, rows keep their place, new ones come last, and those that are gone stay', () => {
  const order = [{name: 'a', value: 3}, {name: 'b', value: 2}, {name: 'c', value: 1}];
  const rows = [{name: 'd', value: 9}, {name: 'c', value: 8}, {name: 'a', value: 0}];
  const held = heldOrder(order, rows, keyOf, 10);
  assert.equal(names(held.order), 'a b c d');
  assert.equal(held.order[0].value, 0);
  assert.equal(held.order[1].value, 2);
  assert.deepEqual([...held.gone], ['b']);
});

test('rows that are gone do not pile up', () => {
  const order = Array.from({length: 50}, (_, index) => ({name: String(index)}));
  const held = heldOrder(order, [], keyOf, 7);
  assert.equal(held.order.length, 7);
  assert.equal(held.gone.size, 7);
});

test('a row that was gone and comes again is not gone', () => {
  const first = heldOrder([{name: 'a'}, {name: 'b'}], [{name: 'b'}], keyOf, 10);
  const second = heldOrder(first.order, [{name: 'a'}, {name: 'b'}], keyOf, 10);
  assert.equal(names(second.order), 'a b');
  assert.equal(second.gone.size, 0);
});
