// How far back the recorder reaches.

import {machine, machineNow} from '../../data/machine.js';
import {history} from '../../data/history.js';
import {DAY} from './span.js';
import {parseTime} from '../../text/times.js';

/** As the machine's document says, or null. */
export function oldestKnown() {
  const time = parseTime(machine?.recorder?.oldest ?? '');
  return Number.isFinite(time) ? time : null;
}

/** Of a recorder that doesn't say it, by the oldest step of a counter. Null if there is none. */
export async function oldestOf(paths, signal) {
  if (oldestKnown() !== null) return oldestKnown();
  const counters = await history(paths.slice(0, 1), {since: machineNow() - 30 * DAY, step: 300}, signal);
  const times = counters.map((counter) => counter.times[0]).filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : null;
}
