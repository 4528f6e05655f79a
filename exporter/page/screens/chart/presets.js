// What to begin with: counters that most look for, of those that the machine has.

import {ApiError, getDocument} from '../../data/api.js';
import {element, replaceChildren} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {partsOf} from '../../text/paths.js';

const PRESETS = [
  {name: 'CPU', about: 'all processors together', paths: [
    '\\Processor Information(_Total)\\% Processor Time', '\\Processor(_Total)\\% Processor Time'], one: true},
  {name: 'Every core', about: 'a line for each processor', paths: [
    '\\Processor(*)\\% Processor Time', '\\Processor Information(*)\\% Processor Time'], one: true},
  {name: 'Memory', about: 'available and committed', paths: [
    '\\Memory\\Available Bytes', '\\Memory\\Committed Bytes', '\\Memory\\Cache Bytes']},
  {name: 'Disk throughput', about: 'bytes a second of each disk', paths: ['\\PhysicalDisk(*)\\Disk Bytes/sec']},
  {name: 'Disk latency', about: 'seconds that a transfer takes', paths: ['\\LogicalDisk(*)\\Avg. Disk sec/Transfer']},
  {name: 'Network', about: 'bytes a second of each adapter', paths: ['\\Network Interface(*)\\Bytes Total/sec']},
  {name: 'Processes by CPU', about: 'a line for each process', paths: ['\\Process(*)\\% Processor Time'],
    drop: ['\\Process(_Total)\\% Processor Time', '\\Process(Idle)\\% Processor Time'], sort: 'average'},
  {name: 'Whole machine', about: 'CPU, memory, disk, network', paths: [
    '\\Processor(_Total)\\% Processor Time', '\\Memory\\Available Bytes', '\\PhysicalDisk(_Total)\\Disk Bytes/sec',
    '\\Network Interface(*)\\Bytes Total/sec']},
];

/** @param {Set<string>} countersets that are sampled @returns {Array<{name, about, paths: string[], drop?: string[], sort?: string}>} */
export function presetsOf(countersets) {
  return PRESETS.map(({paths, one, ...preset}) => {
    const there = paths.filter((path) => countersets.has(partsOf(path).counterset));
    return {...preset, paths: one ? there.slice(0, 1) : there};
  }).filter(({paths}) => paths.length > 0);
}

/**
 * Buttons for what the machine has.
 * @param {Element} place @param {function(Object)} choose gets one of them @param {AbortSignal} signal
 */
export async function showPresets(place, choose, signal) {
  try {
    const {countersets} = await getDocument('countersets', {}, {signal});
    if (signal.aborted) return;
    const presets = presetsOf(new Set(countersets.map((counterset) => counterset.name)));
    replaceChildren(place, presets.length === 0 ?
      element('p', {class: 'dim'}, 'Nothing is sampled. Name what you need in countersets of the configuration.') :
      element('ul', {class: 'chart-presets'}, presets.map((preset) => element('li', null,
        element('button', {type: 'button', onclick: () => choose(preset)}, element('strong', null, preset.name),
          element('span', {class: 'dim small'}, preset.about))))));
  } catch (error) {
    if (error instanceof ApiError) showProblem(place, error);
    else if (!signal.aborted) throw error;
  }
}
