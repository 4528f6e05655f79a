// Values of counters over time: what the recorder answers, what the stream adds, and the lines that a chart makes of them.

import {instanceKey, instanceText, isTotal, pathOf} from '../../text/paths.js';
import {unitOf} from '../../text/numbers.js';

/**
 * @typedef {{counterset: string, counter: string, times: number[], lines: Map<string, Object>}} Block as data/series.js has it; a
 *     line may have `least`, `most` and `reasons` beside `values`
 */

/** @param {Array} counters of data/history.js @returns {Block[]} */
export function blocksOf(counters) {
  return counters.map(({counterset, counter, times, instances}) => ({
    counterset,
    counter,
    times,
    lines: new Map(instances.map((instance) => [instanceKey(instance), lineOf(instance)])),
  }));
}

function lineOf({cooked, min, mean, max, reasons, ...identity}) {
  const isThere = (index) => cooked[index] !== null || reasons?.[index];
  // Of a gauge, cooked is the last value of a step; its mean says more of the step.
  const values = cooked.map((value, index) => (isThere(index) ? mean?.[index] ?? value : undefined));
  return {identity, values, least: min, most: max, reasons, reason: reasons?.at(-1) ?? null};
}

// Times of the stream and of the recorder may differ in the last digits for one sample.
const SAME_SAMPLE_MS = 2;

/** What is later than `time` becomes what `newer` has. @param {Block[]} older @param {Block[]} newer */
export function continued(older, newer, time) {
  const result = new Map(older.map((block) => [keyOf(block), headOf(block, time)]));
  for (const block of newer) {
    const head = result.get(keyOf(block));
    result.set(keyOf(block), head ? joined(head, tailOf(block, time)) : block);
  }
  return [...result.values()];
}

/** `older`, then what `newer` has after the end of each. */
export function appended(older, newer) {
  const result = new Map(older.map((block) => [keyOf(block), block]));
  for (const block of later(newer, older)) {
    const head = result.get(keyOf(block));
    result.set(keyOf(block), head ? joined(head, block) : block);
  }
  return [...result.values()];
}

/** What `blocks` have after the end of the same counters in `known`. */
export function later(blocks, known) {
  const ends = new Map(known.map((block) => [keyOf(block), block.times.at(-1)]));
  return blocks.map((block) => tailOf(block, (ends.get(keyOf(block)) ?? -Infinity) + SAME_SAMPLE_MS));
}

function keyOf({counterset, counter}) {
  return `${counterset}\u0000${counter}`;
}

function headOf(block, time) {
  return part(block, 0, firstAfter(block.times, time));
}

function tailOf(block, time) {
  return part(block, firstAfter(block.times, time), block.times.length);
}

/** Without what is older than `time`, and without lines that have nothing left. */
export function since(blocks, time) {
  return blocks.map((block) => tailOf(block, time - 1)).map((block) => {
    const lines = [...block.lines].filter(([, line]) => line.values.some((value) => value !== undefined));
    return {...block, lines: new Map(lines)};
  });
}

/** The same values, later. */
export function moved(blocks, milliseconds) {
  return blocks.map((block) => ({...block, times: block.times.map((time) => time + milliseconds)}));
}

function firstAfter(times, time) {
  const index = times.findIndex((one) => one > time);
  return index < 0 ? times.length : index;
}

const COLUMNS = ['values', 'least', 'most', 'reasons'];

function part(block, from, to) {
  const lines = new Map();
  for (const [key, line] of block.lines) {
    const cut = {...line};
    for (const name of COLUMNS) if (line[name]) cut[name] = line[name].slice(from, to);
    lines.set(key, cut);
  }
  return {...block, times: block.times.slice(from, to), lines};
}

function joined(head, tail) {
  const lines = new Map();
  const none = {};
  for (const key of new Set([...head.lines.keys(), ...tail.lines.keys()])) {
    const one = head.lines.get(key) ?? none;
    const other = tail.lines.get(key) ?? none;
    const line = {identity: (other.identity ?? one.identity), reason: other.reason ?? null};
    for (const name of COLUMNS) {
      if (name !== 'values' && !one[name] && !other[name]) continue;
      line[name] = [...(one[name] ?? blank(head.times.length)), ...(other[name] ?? blank(tail.times.length))];
    }
    lines.set(key, line);
  }
  return {...head, times: [...head.times, ...tail.times], lines};
}

function blank(length) {
  return new Array(length).fill(undefined);
}

/**
 * The lines of a chart: those of the first paths first, in the order of their names. Of what is too much, those with the smallest
 * values are left out.
 * @param {Block[]} blocks
 * @param {string[]} paths as they were added
 * @param {{most: number, isDropped: function(string): boolean, isKnown: function(string): boolean}} choice `isKnown` tells lines
 *     that are drawn already, which stay
 * @returns {{lines: Array<{key, name, path, counterset, counter, instance, identity, unit, times, values, least, most, reasons, reason}>,
 *     leftOut: number}}
 */
export function linesOf(blocks, paths, {most, isDropped, isKnown}) {
  const groups = paths.map((path) => ({path, matches: matcherOf(path), lines: []}));
  // Of a path in the language of the machine, the answer has the English names.
  const other = {path: null, lines: []};
  for (const block of blocks) {
    for (const [id, line] of block.lines) {
      const instance = hasInstances(block) ? instanceText(line.identity) : null;
      const name = pathOf(block.counterset, instance, block.counter);
      if (isDropped(name)) continue;
      const group = groups.find(({matches}) => matches(block.counterset, instance, block.counter)) ?? other;
      const key = `${keyOf(block)}\u0000${id}`;
      group.lines.push({...line, key, name, path: group.path, counterset: block.counterset, counter: block.counter, instance,
        unit: unitOf(block.counter), times: block.times});
    }
  }
  if (other.lines.length > 0) groups.push(other);
  let room = most;
  let leftOut = 0;
  const lines = [];
  for (const group of groups) {
    const some = group.lines.length <= room ? group.lines : largest(group.lines, room, isKnown);
    leftOut += group.lines.length - some.length;
    room -= some.length;
    lines.push(...some.sort(byName));
  }
  return {lines, leftOut};
}

// A counterset without instances has one line, which has no name.
function hasInstances(block) {
  return block.lines.size !== 1 || instanceText([...block.lines.values()][0].identity) !== '';
}

function largest(lines, count, isKnown) {
  const height = (line) => line.values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), -1);
  const ranked = lines.map((line) => ({line, known: isKnown(line.key), height: height(line)}));
  ranked.sort((one, other) => other.known - one.known || other.height - one.height);
  return ranked.slice(0, count).map(({line}) => line);
}

const names = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'});

// Totals first, as the one that most look for.
function byName(one, other) {
  const total = (line) => Number(isTotal(line.instance ?? ''));
  return total(other) - total(one) || names.compare(one.counter, other.counter) || names.compare(one.instance ?? '', other.instance ?? '');
}

function matcherOf(path) {
  return (counterset, instance, counter) => isLike(pathOf(counterset, instance, counter), path) ||
    // A counterset of one instance without a name may be asked for with any.
    (instance === null && isLike(pathOf(counterset, '', counter), path));
}

/** Whether a text is like a pattern with `*`, whatever the case; in time that grows with the product of their lengths at most. */
export function isLike(text, pattern) {
  const have = text.toLowerCase();
  const want = pattern.toLowerCase();
  let [place, at, star, retry] = [0, 0, -1, 0];
  while (place < have.length) {
    if (want[at] === '*') {
      star = at++;
      retry = place;
    } else if (want[at] === have[place]) {
      ++at;
      ++place;
    } else if (star >= 0) {
      at = star + 1;
      place = ++retry;
    } else {
      return false;
    }
  }
  while (want[at] === '*') ++at;
  return at === want.length;
}
