// Which counters the overview follows: those of its countersets that this machine samples. A path that doesn't exist would be an
// error for all of them.

import {pathOf} from '../../text/paths.js';

/**
 * For each resource the countersets that show it, the best first, and their counters with the instances that are needed. `added` is
 * the one to add if there is none, where it isn't the best one, which not every Windows has.
 */
const RESOURCES = {
  cpu: {
    countersets: ['Processor Information', 'Processor'],
    // The first of these that exists: Windows 8 and later count work and not time, and Task Manager shows that.
    first: ['% Processor Utility', '% Processor Time'],
    counters: [['% Privileged Time', '_Total'], ['% User Time', '_Total'], ['% Interrupt Time', '_Total'], ['% DPC Time', '_Total']],
  },
  system: {
    countersets: ['System'],
    counters: [['Processor Queue Length', null], ['Processes', null], ['Threads', null], ['Context Switches/sec', null]],
  },
  memory: {
    countersets: ['Memory'],
    counters: [
      'Available Bytes', 'Committed Bytes', 'Commit Limit', 'Cache Bytes', 'Pool Paged Bytes', 'Pool Nonpaged Bytes',
      'Page Reads/sec', 'Modified Page List Bytes', 'Standby Cache Reserve Bytes', 'Standby Cache Normal Priority Bytes',
      'Standby Cache Core Bytes',
    ].map((counter) => [counter, null]),
  },
  paging: {countersets: ['Paging File'], counters: [['% Usage', '*']]},
  disks: {
    countersets: ['PhysicalDisk', 'LogicalDisk'],
    counters: [['% Idle Time', '*'], ['Avg. Disk sec/Transfer', '*'], ['Current Disk Queue Length', '*'],
      ['Disk Read Bytes/sec', '*'], ['Disk Write Bytes/sec', '*']],
  },
  volumes: {countersets: ['LogicalDisk'], counters: [['% Free Space', '*'], ['Free Megabytes', '*']]},
  adapters: {
    countersets: ['Network Interface', 'Network Adapter'],
    counters: [['Bytes Received/sec', '*'], ['Bytes Sent/sec', '*'], ['Current Bandwidth', '*']],
  },
  // Not followed: /api/v1/top is asked for the leaders of thousands.
  processes: {countersets: ['Process V2', 'Process'], added: 'Process', counters: []},
};

/** How a counterset is called in paths: by the machine, not by the configuration. */
export function nameOf(counterset) {
  return counterset.object ?? counterset.name;
}

/**
 * @param {Array} countersets of /api/v1/countersets
 * @returns {Array} those whose counters have to be known
 */
export function wantedOf(countersets) {
  const names = new Set(Object.values(RESOURCES).flatMap((resource) => resource.countersets));
  return countersets.filter((counterset) => names.has(nameOf(counterset)) && counterset.status !== 'absent');
}

/**
 * @typedef {{state: string, wanted: string, name: string, main: string|null, counters: Set<string>, paths: string[],
 *     interval: number, counterset: Object|null}} Source `state` is sampled, waiting, failed, absent, without (its counters are
 *     left out) or missing (from the configuration); `main` the counter in its first place
 * @param {Array} countersets of /api/v1/countersets
 * @param {Map<string, string[]>} known the counters of each counterset that has told them
 * @returns {{sources: Object<string, Source>, paths: string[]}}
 */
export function planOf(countersets, known) {
  const sources = {};
  for (const [resource, wanted] of Object.entries(RESOURCES)) sources[resource] = sourceOf(wanted, countersets, known);
  const paths = Object.values(sources).flatMap((source) => source.paths);
  return {sources, paths};
}

function sourceOf(wanted, countersets, known) {
  const none = {state: 'missing', wanted: wanted.added ?? wanted.countersets[0], name: '', main: null, counters: new Set(), paths: [],
    interval: 0, counterset: null};
  const found = wanted.countersets.map((name) => countersets.find((one) => nameOf(one) === name)).filter(Boolean);
  const told = found.find((one) => known.has(nameOf(one)));
  const one = told ?? found.find((each) => each.status !== 'absent') ?? found[0];
  if (!one) return none;
  const source = {...none, name: nameOf(one), interval: one.interval_seconds, counterset: one};
  if (!told) return {...source, state: ['failed', 'absent'].includes(one.status) ? one.status : 'waiting'};
  const counters = new Set(known.get(nameOf(one)));
  const main = wanted.first?.find((counter) => counters.has(counter)) ?? null;
  const followed = [...(main ? [[main, '*']] : []), ...wanted.counters].filter(([counter]) => counters.has(counter));
  const paths = followed.map(([counter, instance]) => pathOf(source.name, instance, counter));
  const isWithout = wanted.first ? !main : wanted.counters.length > 0 && paths.length === 0;
  return {...source, state: isWithout ? 'without' : 'sampled', main, counters, paths};
}
