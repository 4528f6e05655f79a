// The processes of a sample as rows. A process keeps its row from sample to sample, so that 3,000 of them make no garbage.

import {COUNTERS, SLOT, slotOf} from './counters.js';
import {parseTime} from '../../text/times.js';
import {instanceKey, processOf} from '../../text/paths.js';

const TOTAL = '_total';
const IDLE = 'idle';
// The start is computed of a sample's time and an age, which differ by that much between samples.
const SAME_START_MS = 2000;

/**
 * @typedef {Object} Row
 * @property {string} key
 * @property {string} name without the number of perfmon, and without the id that Process V2 has in its names
 * @property {number} pid
 * @property {Object} identity of the API, as it was last
 * @property {Float64Array} values by SLOT; NaN if it is missing
 * @property {Array<string|null>|null} reasons by SLOT, of missing values
 * @property {number} start in milliseconds, or NaN
 * @property {Row|null} parent that is in the same sample
 * @property {string|null} owner
 * @property {string|null} command the command line
 * @property {string} order lower case, orders rows of equal values
 * @property {number} depth 1, or more in a tree
 * @property {number|null} startedAt in milliseconds, if it started within the shown span
 * @property {number|null} endedAt the same for the last sample that has it
 * @property {boolean} isAsked whether its last values were asked for, after it had ended
 */

/** @returns {Row} without values */
export function makeRow(identity, key = instanceKey(identity)) {
  const {name, pid: known} = processOf(identity);
  const pid = known ?? 0;
  return {
    key, name, pid, identity,
    values: new Float64Array(COUNTERS.length).fill(NaN),
    reasons: null,
    start: NaN,
    parent: null,
    owner: identity.owner ?? null,
    command: identity.command_line ?? null,
    order: `${name.toLowerCase()} ${String(pid).padStart(10, '0')}`,
    depth: 1,
    startedAt: null,
    endedAt: null,
    isAsked: false,
    turn: 0,
  };
}

export class ProcessRows {
  /** @type {Row[]} */
  rows = [];
  /** Of the sample, in milliseconds. */
  time = NaN;
  /** % Processor Time of the idle process, and of all of them; NaN if it is not known. */
  idle = NaN;
  total = NaN;

  #known = new Map();
  #turn = 0;

  /**
   * A counterset of a `sample` as columns.
   * @returns {Row[]} those that have ended since the sample before
   */
  take(counterset) {
    this.#begin(parseTime(counterset.sampled_at));
    const there = counterset.instances.map((identity) => this.#rowOf(identity));
    for (const {name, cooked, reasons} of counterset.counters) {
      const slot = slotOf.get(name.toLowerCase());
      if (slot === undefined) continue;
      for (let index = 0; index < there.length; ++index) setValue(there[index], slot, cooked[index], reasons?.[index]);
    }
    return this.#end();
  }

  /** What valuesAt() of data/history.js has. */
  takeMoment(counters) {
    const times = counters.map((counter) => counter.times.at(-1)).filter((time) => time !== undefined);
    this.#begin(times.length > 0 ? Math.max(...times) : NaN);
    for (const {counter, instances} of counters) {
      const slot = slotOf.get(counter.toLowerCase());
      if (slot === undefined) continue;
      for (const instance of instances) {
        setValue(this.#rowOf(instance), slot, instance.cooked.at(-1), instance.reasons?.at(-1));
      }
    }
    return this.#end();
  }

  /** @returns {Row|undefined} */
  ofProcess(pid) {
    return this.rows.find((row) => row.pid === pid);
  }

  #begin(time) {
    this.time = time;
    ++this.#turn;
  }

  #rowOf(identity) {
    const key = instanceKey(identity);
    let row = this.#known.get(key);
    if (!row) this.#known.set(key, (row = makeRow(identity, key)));
    row.identity = identity;
    if (row.turn !== this.#turn) {
      row.turn = this.#turn;
      row.reasons = null;
      row.owner = identity.owner ?? row.owner;
      row.command = identity.command_line ?? row.command;
    }
    return row;
  }

  #end() {
    const ended = [];
    const rows = [];
    this.idle = this.total = NaN;
    for (const [key, row] of this.#known) {
      if (row.turn !== this.#turn) {
        this.#known.delete(key);
        if (!isNone(row)) ended.push(row);
        continue;
      }
      if (isNone(row)) {
        if (row.name.toLowerCase() === TOTAL) this.total = row.values[SLOT.cpu];
        else this.idle = row.values[SLOT.cpu];
        continue;
      }
      const start = this.time - row.values[SLOT.elapsed] * 1000;
      if (!(Math.abs(start - row.start) < SAME_START_MS)) row.start = start;
      rows.push(row);
    }
    this.rows = rows;
    return ended;
  }
}

// Names of processes that are none: the total, and what processors do when nothing else runs.
function isNone(row) {
  const name = row.name.toLowerCase();
  return row.pid === 0 && (name === TOTAL || name === IDLE);
}

function setValue(row, slot, value, reason) {
  const isMissing = value === null || value === undefined;
  row.values[slot] = isMissing ? NaN : value;
  if (isMissing && reason) (row.reasons ?? (row.reasons = new Array(COUNTERS.length).fill(null)))[slot] = reason;
}

/**
 * Gives a row of a process that has ended what valuesAt() knows of its last moment.
 * @returns {boolean} whether it was among them
 */
export function fillRow(row, counters) {
  let isFound = false;
  for (const {counter, instances} of counters) {
    const slot = slotOf.get(counter.toLowerCase());
    const instance = instances.find((one) => instanceKey(one) === row.key);
    if (slot === undefined || !instance) continue;
    isFound = true;
    row.owner ??= instance.owner ?? null;
    row.command ??= instance.command_line ?? null;
    const value = instance.cooked.at(-1);
    // What `top` has of the whole life is better than nothing.
    if (value !== null && value !== undefined) row.values[slot] = value;
  }
  const start = row.endedAt - row.values[SLOT.elapsed] * 1000;
  if (Number.isFinite(start)) row.start = start;
  return isFound;
}

/**
 * How many processors a machine has, by the time of all its processes, the idle one included: 100 % for each. Null if that is not
 * known: when a process has ended, its time is missing in the total.
 * @param {number} total % Processor Time of _Total
 */
export function processorsOf(total) {
  const count = Math.round(total / 100);
  return count > 0 && Math.abs(total - count * 100) < 2 ? count : null;
}

/**
 * How much of all processors is in use, in percent, or null.
 * @param {number} idle % Processor Time of the idle process
 * @param {number|null} processors how many there are
 */
export function inUse(idle, processors) {
  if (!Number.isFinite(idle) || !processors) return null;
  return Math.min(100, Math.max(0, 100 - idle / processors));
}
