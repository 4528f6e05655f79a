// What the recorder remembers, as columns: /api/v1/range with format=columns.

import {ApiError, getDocument} from './api.js';
import {instanceKey} from '../text/paths.js';
import {apiTime, parseTime} from '../text/times.js';

// As many paths as a question may have.
const PATHS_OF_A_QUESTION = 20;
const LONGEST_STEP_SECONDS = 86_400;

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
    questions.push(counters(paths.slice(first, first + PATHS_OF_A_QUESTION), span, signal));
  }
  const all = (await Promise.all(questions)).flat();
  return merged(all.map((counter) => ({...counter, times: counter.times.map(parseTime)})));
}

// An answer may have so many values and not more: a machine with hundreds of disks needs more questions, and one with hundreds of
// processors longer steps.
async function counters(paths, span, signal) {
  try {
    return (await getDocument('range', {format: 'columns', path: paths, ...span}, {signal})).counters;
  } catch (error) {
    if (!(error instanceof ApiError) || error.mostValues === null) throw error;
    if (paths.length > 1) {
      const half = Math.ceil(paths.length / 2);
      const halves = [paths.slice(0, half), paths.slice(half)].map((some) => counters(some, span, signal));
      return (await Promise.all(halves)).flat();
    }
    if (!span.step || parseInt(span.step, 10) > LONGEST_STEP_SECONDS) throw error;
    return await counters(paths, {...span, step: `${2 * parseInt(span.step, 10)}s`}, signal);
  }
}

const COLUMNS = ['cooked', 'min', 'mean', 'max', 'reasons'];

/** Of paths with the same counter, such as of two instances, one counter with the instances of both. */
export function merged(counters) {
  const known = new Map();
  for (const counter of counters) {
    const key = `${counter.counterset}\u0000${counter.counter}`;
    const other = known.get(key);
    known.set(key, other ? together(other, counter) : counter);
  }
  return [...known.values()];
}

function together(one, other) {
  const times = [...new Set([...one.times, ...other.times])].sort((first, second) => first - second);
  const there = new Set(one.instances.map(instanceKey));
  const added = other.instances.filter((instance) => !there.has(instanceKey(instance)));
  const at = (own) => {
    const places = new Map(own.map((time, index) => [time, index]));
    return (column) => times.map((time) => column[places.get(time)] ?? null);
  };
  const spread = (instance, place) => ({...instance,
    ...Object.fromEntries(COLUMNS.filter((name) => instance[name]).map((name) => [name, place(instance[name])]))});
  return {...one, times, instances: [...one.instances.map((instance) => spread(instance, at(one.times))),
    ...added.map((instance) => spread(instance, at(other.times)))]};
}

/** The length of a step with which a span has about so many of them: whole seconds. */
export function stepFor(milliseconds, points) {
  return Math.max(1, Math.ceil(milliseconds / 1000 / points));
}
