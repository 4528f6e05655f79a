// Where the rows come from: the latest sample again and again, or a moment of the past.

import {COUNTERS, countersetOf} from './counters.js';
import {ProcessRows} from './rows.js';
import {ApiError, getDocument, pause, poll, shown, whenVisible} from '../../data/api.js';
import {valuesAt} from '../../data/history.js';
import {apiTime} from '../../text/times.js';
import {pathOf} from '../../text/paths.js';
import {MOST_LEADERS} from './changes.js';

const NOT_SAMPLED_SECONDS = 10;
const OWNERS_SECONDS = 30;

/**
 * Which counterset has the processes: asked until there is one.
 * @param {{missing: function(string, string[]), error: function(ApiError)}} tell `missing` gets what is to be done, in a sentence, and
 *     the countersets that there are
 * @returns {Promise<{name: string, seconds: number, names: string[]}|null>} `names` are of all countersets; null if `signal` said stop
 */
export async function findCounterset(tell, signal) {
  while (!signal.aborted) {
    try {
      const {countersets} = await getDocument('countersets', {}, {signal});
      const names = countersets.map((one) => one.name);
      const name = countersetOf(names);
      const found = countersets.find((one) => one.name === name);
      if (found && (found.status === 'ok' || found.status === 'stale')) return {name, seconds: found.interval_seconds, names};
      tell.missing(found ? found.sentence ?? 'Its first sample is awaited.' : notSampled(), names);
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== 0) tell.error(error);
    }
    await pause(1000 * NOT_SAMPLED_SECONDS, signal);
    await whenVisible(signal);
  }
  return null;
}

function notSampled() {
  const key = shown.target === null ? 'countersets' : 'the countersets of this target (targets)';
  return `Processes are not sampled. Add Process to ${key} in the configuration.`;
}

/**
 * The table as it is, at each sample.
 * @param {{name: string, seconds: number}} counterset
 * @param {{rows: function(ProcessRows, import('./rows.js').Row[], number), error: function(ApiError)}} tell `rows` gets also those
 *     that have ended, and the time of their last sample
 */
export function followNow(counterset, tell, signal) {
  const processes = new ProcessRows();
  const ask = {format: 'columns', counterset: counterset.name, counter: COUNTERS};
  poll('sample', ask, counterset.seconds, async (document, error) => {
    if (error) {
      tell.error(error);
      return;
    }
    const part = document.countersets[0];
    if (!part || !part.success) {
      const why = part?.error ?? document.problems.find((one) => one.counterset === counterset.name)?.sentence;
      tell.error(new ApiError(200, why ?? `There is no sample of ${counterset.name}.`));
      return;
    }
    // Parsing, the rows and the table are tasks of their own, so that none is long.
    await pause(0, signal);
    if (signal.aborted) return;
    const before = processes.time;
    const ended = processes.take(part);
    if (processes.time === before) return;
    await pause(0, signal);
    if (!signal.aborted) tell.rows(processes, ended, before);
  }, signal);
}

/** The table as it was at a moment, in milliseconds. */
export async function rowsAt(counterset, at, signal) {
  const counters = await valuesAt(COUNTERS.map((counter) => pathOf(counterset, '*', counter)), at, signal);
  await pause(0, signal);
  const processes = new ProcessRows();
  processes.takeMoment(counters);
  return processes;
}

/** What `top` knows of a span in milliseconds. */
export async function leadersOf(counterset, since, until, signal) {
  const span = {since: apiTime(since), until: apiTime(until)};
  return await getDocument('top', {counter: pathOf(counterset, '*', COUNTERS[0]), ...span, n: MOST_LEADERS}, {signal});
}

/**
 * Owners and command lines, of this machine, if the exporter reads them.
 * @param {function(Map<number, {name: string, owner: string|null, command: string|null}>)} show by process id
 */
export function followOwners(show, signal) {
  if (shown.target !== null) return;
  poll('facts', {topic: 'processes'}, OWNERS_SECONDS, (document) => {
    const rows = document?.topics?.find((topic) => topic.topic === 'processes')?.rows;
    if (!rows) return;
    show(new Map(rows.map((row) => [Number(row.process_id), {
      name: String(row.process ?? ''), owner: row.owner ?? null, command: row.command_line ?? null,
    }])));
  }, signal);
}
