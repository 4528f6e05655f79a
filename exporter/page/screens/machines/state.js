// What the answers about a machine say of its state. Pure.

import {asSentence, capital} from '../../text/sentence.js';

// From the worst to the best.
const ORDER = ['unreachable', 'denied', 'hangs', 'failing', 'partly', 'waiting', 'asked', 'good'];

const WORDS = {
  unreachable: ['bad', 'unreachable'],
  denied: ['bad', 'denied'],
  hangs: ['bad', 'hanging'],
  failing: ['bad', 'failing'],
  partly: ['warn', 'answering in part'],
  waiting: ['', 'not read yet'],
  asked: ['', 'asking'],
  good: ['good', 'answering'],
};

/** @param {string} state of stateOf() @returns {[string, string]} the class of the mark, and the word */
export function wordOf(state) {
  return WORDS[state];
}

/** How far up a state stands in a list with the worst first. */
export function placeOf(state) {
  return ORDER.indexOf(state);
}

/**
 * @param {{countersets: Array}|null} document of countersets?target=
 * @param {{detail: string, reason: string|null}|null} error of it
 * @returns {{state: string, why: string, ok: number, bad: number, age: number|null}} `why` is a sentence, or empty; `ok` and `bad`
 *     count countersets; `age` is that of the latest sample, in seconds
 */
export function stateOf(document, error) {
  if (error) return {state: stateOfReason(error.reason), why: reasonOf(error.detail), ok: 0, bad: 0, age: null};
  if (!document) return {state: 'asked', why: '', ok: 0, bad: 0, age: null};
  const {countersets} = document;
  const bad = countersets.filter(({status}) => status === 'failed' || status === 'stale');
  const ok = countersets.filter(({status}) => status === 'ok');
  const ages = countersets.map(({age_seconds: age}) => age).filter((age) => age !== null && age !== undefined);
  const found = {why: '', ok: ok.length, bad: bad.length, age: ages.length > 0 ? Math.min(...ages) : null};
  if (bad.length === 0) return {...found, state: ok.length > 0 ? 'good' : 'waiting'};
  found.why = reasonOf(commonest(bad.map((one) => one.sentence ?? one.reason ?? '')));
  return {...found, state: ok.length > 0 ? 'partly' : stateOfReason(commonest(bad.map(({reason}) => reason)))};
}

// Of the reasons, those that say more of the machine than that something fails.
const STATES = {
  timed_out: 'hangs',
  pending: 'hangs',
  access_denied: 'denied',
  os_error: 'unreachable',
  not_sampled_yet: 'waiting',
};

function stateOfReason(reason) {
  return STATES[reason] ?? 'failing';
}

/** "this target could not be read yet: remote.connect failed (system error 53)" says twice what the state says. */
function reasonOf(text) {
  const short = text.replace(/^this target could not be read yet: (?=.)/, '').trim();
  if (!short) return '';
  // A word such as remote.connect is a name.
  return asSentence(/^\S+\.\S/.test(short) ? short : capital(short));
}

function commonest(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? '';
}

/**
 * What is asked for CPU and memory, of the countersets that the machine has.
 * @param {Array<{name: string, status: string}>} countersets
 * @returns {string[]} paths
 */
export function pathsOf(countersets) {
  const ok = new Set(countersets.filter(({status}) => status === 'ok').map(({name}) => name));
  const processor = ['Processor Information', 'Processor'].find((name) => ok.has(name));
  const paths = processor ? [`\\${processor}(_Total)\\% Processor Time`] : [];
  return ok.has('Memory') ? [...paths, '\\Memory\\Available Bytes'] : paths;
}

/** @param {Object|null} sample as columns @returns {{cpu: {value, reason}|null, memory: {value, reason}|null}} null: not sampled */
export function numbersOf(sample) {
  const find = (counter) => {
    for (const {counters} of sample?.countersets ?? []) {
      const column = counters.find(({name}) => name === counter);
      if (column && column.cooked.length > 0) return {value: column.cooked[0], reason: column.reasons?.[0] ?? null};
    }
    return null;
  };
  return {cpu: find('% Processor Time'), memory: find('Available Bytes')};
}
