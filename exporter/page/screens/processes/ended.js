// The last values of processes that have ended, which `top` has only one of.

import {COUNTERS, SLOT, slotOf} from './counters.js';
import {ApiError} from '../../data/api.js';
import {valuesAt} from '../../data/history.js';
import {instanceKey, pathOf} from '../../text/paths.js';

// One question each, one after the other, the latest first; more would keep the exporter busy for rows that nobody reads.
const MOST = 100;
// The API has times with more decimals than the page.
const AFTER_MS = 1;

/**
 * Asks for what is not known yet, of each row once.
 * @param {string} counterset
 * @param {Iterable<import('./rows.js').Row>} ended
 * @param {function()} changed after each row that was filled
 * @param {AbortSignal} signal
 */
export async function fillEnded(counterset, ended, changed, signal) {
  const empty = [...ended].filter((row) => !row.isAsked && Number.isNaN(row.values[SLOT.threads]));
  empty.sort((one, other) => other.endedAt - one.endedAt);
  for (const row of empty.slice(0, MOST)) {
    row.isAsked = true;
    try {
      const name = row.identity.name ?? row.identity.instance;
      // Perfmon's number of it may have been another one then.
      const counters = await valuesAt(COUNTERS.map((counter) => pathOf(counterset, `${name}*`, counter)), row.endedAt + AFTER_MS, signal);
      if (signal.aborted) return;
      if (fill(row, counters)) changed();
    } catch (error) {
      if (signal.aborted) {
        row.isAsked = false;
        return;
      }
      if (!(error instanceof ApiError)) throw error;
      return;
    }
  }
}

/** @returns {boolean} whether the row was among them */
export function fill(row, counters) {
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
