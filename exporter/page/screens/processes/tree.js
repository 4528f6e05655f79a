// Which process started which; pure functions.

import {SLOT} from './counters.js';

// Both starts are known to some hundredths of a second.
const SAME_TIME_MS = 1000;

/**
 * Sets `parent` of each row. An id is used again after its process has ended: what started after its child is not its parent.
 * @param {import('./rows.js').Row[]} rows
 */
export function linkParents(rows) {
  const byId = new Map();
  for (const row of rows) byId.set(row.pid, row);
  for (const row of rows) {
    const parent = byId.get(row.values[SLOT.parent]);
    row.parent = parent && parent !== row && !(parent.start > row.start + SAME_TIME_MS) ? parent : null;
  }
}

/**
 * Each process below the one that started it, which it is deeper than; brothers in the order of `compare`.
 * @param {import('./rows.js').Row[]} rows
 * @param {function(Object, Object): number} compare
 */
export function treeOrder(rows, compare) {
  const there = new Set(rows);
  const children = new Map();
  const roots = [];
  for (const row of rows) {
    if (!there.has(row.parent)) roots.push(row);
    else if (children.has(row.parent)) children.get(row.parent).push(row);
    else children.set(row.parent, [row]);
  }
  const order = [];
  const done = new Set();
  const add = (first) => {
    const waiting = [[first, 1]];
    while (waiting.length > 0) {
      const [row, depth] = waiting.pop();
      if (done.has(row)) continue;
      done.add(row);
      row.depth = depth;
      order.push(row);
      const below = children.get(row)?.sort(compare) ?? [];
      for (let index = below.length - 1; index >= 0; --index) waiting.push([below[index], depth + 1]);
    }
  };
  roots.sort(compare).forEach(add);
  // What is left are circles, which wrong times of start can make: each begins somewhere.
  for (const row of rows) if (!done.has(row)) add(row);
  return order;
}

/** The rows, and those that lead to them from a root of the tree. */
export function withParents(rows) {
  const all = new Set();
  for (const row of rows) for (let one = row; one && !all.has(one); one = one.parent) all.add(one);
  return all;
}
