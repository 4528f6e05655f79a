// Values out of the series that all panels share.

import {instanceText, isTotal} from '../../text/paths.js';

/** @returns {{value: number|null|undefined, reason: string|null, line: Object|undefined, block: Object|undefined}} the last one */
export function valueOf(series, counterset, counter, key = '') {
  const block = series.block(counterset, counter);
  const line = block?.lines.get(key);
  return {value: line?.values.at(-1), reason: line?.reason ?? null, line, block};
}

/** The instances of a block that are there now, without totals, in the order of their numbers and letters. */
export function instancesOf(block) {
  if (!block) return [];
  const there = [...block.lines].filter(([, line]) => line.values.at(-1) !== undefined)
    .map(([key, line]) => ({key, name: instanceText(line.identity), line}))
    .filter(({name}) => !isTotal(name));
  return there.sort((one, other) => collator.compare(one.name, other.name));
}

const collator = new Intl.Collator(undefined, {numeric: true});

/** Of two lines of a block, at each time; null where one is missing. */
export function sums(one, other) {
  return one.map((value, index) => (Number.isFinite(value) && Number.isFinite(other[index]) ? value + other[index] : null));
}

/** % Idle Time as Task Manager's active time. */
export function activeTime(idle) {
  return Number.isFinite(idle) ? Math.min(100, Math.max(0, 100 - idle)) : idle;
}

/** @returns {{name: string, free, freeBytes, totalBytes, reason}} of each volume: free in percent; what is missing is null */
export function volumesOf(series, source) {
  const block = series.block(source.name, '% Free Space');
  const megabytes = series.block(source.name, 'Free Megabytes');
  return instancesOf(block ?? megabytes).map(({key, name}) => {
    const free = block?.lines.get(key)?.values.at(-1) ?? null;
    const size = megabytes?.lines.get(key)?.values.at(-1) ?? null;
    const freeBytes = size === null ? null : size * 2 ** 20;
    const totalBytes = freeBytes !== null && free > 0 ? (freeBytes / free) * 100 : null;
    return {name, free, freeBytes, totalBytes, reason: block?.lines.get(key)?.reason ?? null};
  });
}

/** Whether a volume is on a disk: perfmon calls a disk by its number and the letters of its volumes, "1 D: E:". */
export function isOn(volume, disk) {
  return volume === disk || disk.split(' ').slice(1).includes(volume);
}

/** A name of spaces alone is in quotes, so that there is something to see and to read out. */
export function visibleName(name) {
  return name.trim() === '' ? `“${name}”` : name;
}

/** perfmon's "1 D: E:" as a name. */
export function diskTitle(name) {
  const match = /^(\d+)(?: (.*))?$/.exec(name);
  return match ? `Disk ${match[1]}${match[2] ? ` (${match[2]})` : ''}` : visibleName(name);
}

/** In percent, as in Task Manager, of the busier direction, because each has the whole bandwidth; null if it isn't known. */
export function usedBandwidth(received, sent, bandwidth) {
  const busier = Math.max(received ?? NaN, sent ?? NaN);
  return Number.isFinite(busier) && bandwidth > 0 ? Math.min(100, (busier * 800) / bandwidth) : null;
}

/** How many cells a row has, so that the rows are full, or nearly so. */
export function columnsFor(count) {
  const most = count > 64 ? 32 : count > 16 ? 16 : 8;
  return count === 0 ? 1 : Math.ceil(count / Math.ceil(count / most));
}
