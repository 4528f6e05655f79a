// The counters of a process that the screen asks for. "Process" and "Process V2" call them alike.

import {unitOf} from '../../text/numbers.js';

const NAMES = {
  cpu: '% Processor Time',
  user: '% User Time',
  kernel: '% Privileged Time',
  memory: 'Working Set - Private',
  working: 'Working Set',
  commit: 'Private Bytes',
  threads: 'Thread Count',
  handles: 'Handle Count',
  read: 'IO Read Bytes/sec',
  write: 'IO Write Bytes/sec',
  other: 'IO Other Bytes/sec',
  faults: 'Page Faults/sec',
  priority: 'Priority Base',
  parent: 'Creating Process ID',
  elapsed: 'Elapsed Time',
};

/** Their names, in the order of a row's `values`. */
export const COUNTERS = Object.values(NAMES);

/** The place of a counter in a row's `values`: SLOT.cpu and so on. */
export const SLOT = Object.fromEntries(Object.keys(NAMES).map((name, index) => [name, index]));

/** The place of a counter by its name; undefined for one that the screen does not show. */
export const slotOf = new Map(COUNTERS.map((counter, index) => [counter.toLowerCase(), index]));

export const UNITS = COUNTERS.map(unitOf);

/** The counterset that has the processes, of those that a machine samples, or null. */
export function countersetOf(names) {
  return ['Process', 'Process V2'].find((name) => names.includes(name)) ?? null;
}
