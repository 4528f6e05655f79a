// The last values of processes that have ended, which `top` has only one of.

import {COUNTERS, SLOT} from './counters.js';
import {fillRow} from './rows.js';
import {ApiError} from '../../data/api.js';
import {valuesAt} from '../../data/history.js';
import {pathOf} from '../../text/paths.js';

// One question each, one after the other, the latest first; more would keep the exporter busy for rows that are not looked at.
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
      if (fillRow(row, counters)) changed();
    } catch (error) {
      if (!signal.aborted && !(error instanceof ApiError)) throw error;
      // What had no answer is asked for again.
      row.isAsked = !signal.aborted && error.status !== 0;
      return;
    }
  }
}
