// What the recorder remembers, as columns: /api/v1/range with format=columns.

import {getDocument} from './api.js';
import {apiTime, parseTime} from '../text/times.js';

// As many paths as a question may have.
const PATHS_OF_A_QUESTION = 20;

/**
 * @param {string[]} paths
 * @param {{since: number, until?: number, step?: number}} span in milliseconds since 1970; step in seconds, whole
 * @param {AbortSignal} [signal]
 * @returns {Promise<Array>} for each counter that was found: {counterset, counter, times: number[] in milliseconds, instances:
 *     [{...identity, cooked, min?, max?, reasons?}]}
 */
export async function history(paths, {since, until, step}, signal) {
  const span = {since: apiTime(since), until: until === undefined ? undefined : apiTime(until), step: step ? `${step}s` : undefined};
  return await columns(paths, span, signal);
}

/** The values between the last two samples before `at`. */
export async function valuesAt(paths, at, signal) {
  return await columns(paths, {at: apiTime(at)}, signal);
}

async function columns(paths, span, signal) {
  const questions = [];
  for (let first = 0; first < paths.length; first += PATHS_OF_A_QUESTION) {
    const some = paths.slice(first, first + PATHS_OF_A_QUESTION);
    questions.push(getDocument('range', {format: 'columns', path: some, ...span}, {signal}));
  }
  const documents = await Promise.all(questions);
  return documents.flatMap(({counters}) => counters.map((counter) => ({...counter, times: counter.times.map(parseTime)})));
}

/** The length of a step with which a span has about so many of them: whole seconds. */
export function stepFor(milliseconds, points) {
  return Math.max(1, Math.ceil(milliseconds / 1000 / points));
}
