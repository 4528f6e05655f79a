// What has been busy for minutes, as rows for the top of the overview: a peak comes and goes, and is no trouble. Pure.

import {bytes, readable, unitOf} from '../../text/numbers.js';
import {activeTime, diskTitle, instancesOf, usedBandwidth, valueOf} from './values.js';

const SPAN_MS = 5 * 60_000;
// With less there is no telling, as just after the start.
const LEAST_MS = 4 * 60_000;
const BUSY = 90;
const FULL = 0.95;
const NEARLY_FULL = 0.9;
const LATENCY = 'Avg. Disk sec/Transfer';

/**
 * @param {{block: function}} series of data/series.js
 * @param {Object<string, import('./plan.js').Source>} sources
 * @returns {import('./findings.js').Finding[]}
 */
export function ofLoad(series, {cpu, memory, disks, adapters}) {
  return [...ofCommit(series, memory), ...ofCpu(series, cpu), ...ofDisks(series, disks), ...ofAdapters(series, adapters)];
}

function ofCommit(series, {name}) {
  const [used, limit] = ['Committed Bytes', 'Commit Limit'].map((counter) => valueOf(series, name, counter).value);
  const part = Number.isFinite(used) && limit > 0 ? used / limit : 0;
  if (part < NEARLY_FULL) return [];
  const isFull = part >= FULL;
  const sentence = `${Math.round(part * 100)} % of the commit limit is in use: ${bytes(used)} of ${bytes(limit)}.`;
  return [{key: 'commit', level: isFull ? 'bad' : 'warn', word: isFull ? 'Memory full' : 'Memory', sentence, repair: []}];
}

function ofCpu(series, {name, main}) {
  const {block, line} = valueOf(series, name, main, '_Total');
  const mean = line ? meanOf(block.times, line.values.map((value) => (Number.isFinite(value) ? Math.min(100, value) : value))) : null;
  return isBusy(mean) ? [busy('cpu', `The processors were ${Math.round(mean)} % busy over the last 5 minutes.`)] : [];
}

function ofDisks(series, {name}) {
  const block = series.block(name, '% Idle Time');
  return instancesOf(block).flatMap(({key, name: disk, line}) => {
    const mean = meanOf(block.times, line.values.map(activeTime));
    if (!isBusy(mean)) return [];
    const {value} = valueOf(series, name, LATENCY, key);
    const latency = Number.isFinite(value) ? `, and a transfer takes ${readable(value, unitOf(LATENCY))}` : '';
    return [busy(`disk ${disk}`, `${diskTitle(disk)} was ${Math.round(mean)} % active over the last 5 minutes${latency}.`)];
  });
}

function ofAdapters(series, {name}) {
  const [received, sent, bandwidth] = ['Bytes Received/sec', 'Bytes Sent/sec', 'Current Bandwidth']
    .map((counter) => series.block(name, counter));
  return instancesOf(received).flatMap(({key, name: adapter, line}) => {
    const most = bandwidth?.lines.get(key)?.values.at(-1);
    const other = sent?.lines.get(key)?.values;
    const mean = meanOf(received.times, line.values.map((value, index) => usedBandwidth(value, other?.[index], most)));
    if (!isBusy(mean)) return [];
    return [busy(`adapter ${adapter}`, `${adapter} used ${Math.round(mean)} % of its bandwidth over the last 5 minutes.`)];
  });
}

function busy(key, sentence) {
  return {key: `busy ${key}`, level: 'warn', word: 'Busy', sentence, repair: []};
}

function isBusy(mean) {
  return mean !== null && mean >= BUSY;
}

/** Of the last five minutes; null if there are too few values for one. */
function meanOf(times, values) {
  const since = times.at(-1) - SPAN_MS;
  let sum = 0;
  let count = 0;
  let first = null;
  for (let index = times.length - 1; index >= 0 && times[index] >= since; index -= 1) {
    if (!Number.isFinite(values[index])) continue;
    sum += values[index];
    count += 1;
    first = times[index];
  }
  return first !== null && times.at(-1) - first >= LEAST_MS ? sum / count : null;
}
