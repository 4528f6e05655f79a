// What Health says about states, sources and ends, and in which order. Pure functions.

import {duration, plain} from '../../text/numbers.js';
import {asSentence, counted} from '../../text/sentence.js';
import {STATES} from '../../text/states.js';

/** How many there are of each status, those of STATES always. */
export function countByStatus(countersets) {
  const counts = Object.fromEntries(Object.keys(STATES).map((name) => [name, 0]));
  for (const {status} of countersets) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/**
 * The state of all countersets in one sentence.
 * @returns {{mark: string, text: string}}
 */
export function verdict(countersets) {
  const counts = countByStatus(countersets);
  const all = countersets.length;
  if (all === 0) return {mark: 'warn', text: 'No counterset is sampled'};
  const missing = counts.failed + counts.absent;
  const parts = [];
  if (missing > 0) parts.push(`${missing} of ${counted(all, 'counterset')} cannot be read`);
  // The first part says of what it speaks.
  if (counts.stale > 0) {
    const stale = missing > 0 ? plain(counts.stale) : `${plain(counts.stale)} of ${counted(all, 'counterset')}`;
    parts.push(`${stale} ${counts.stale === 1 ? 'is' : 'are'} stale`);
  }
  if (parts.length > 0) return {mark: counts.failed > 0 ? 'bad' : 'warn', text: parts.join(', ')};
  if (counts.pending > 0) return {mark: '', text: `${counts.pending} of ${counted(all, 'counterset')} not read yet`};
  return {mark: 'good', text: all === 1 ? 'The only counterset is fresh' : `All ${plain(all)} countersets are fresh`};
}

const ENDS = {
  crashed: 'crashed',
  exited: 'ended by itself',
  timed_out: 'did not answer in time',
  memory: 'over its memory',
  handles: 'over its handles',
  threads: 'over its threads',
  bad_reply: 'answered nonsense',
  start_late: 'slow to start',
};

/** Why processes of a worker were replaced: only what happened. Empty if nothing did. */
export function restartsText(restarts) {
  const happened = Object.entries(restarts).filter(([, count]) => count > 0);
  return happened.map(([why, count]) => `${plain(count)} × ${ENDS[why] ?? why.replaceAll('_', ' ')}`).join(', ');
}

export function restartsCount(restarts) {
  return Object.values(restarts).reduce((sum, count) => sum + count, 0);
}

const STANDINGS = {
  new: {mark: '', text: 'new', meaning: 'It has not answered yet.'},
  trusted: {mark: 'good', text: 'trusted', meaning: 'It answers.'},
  probation: {mark: 'warn', text: 'on probation', meaning: 'It did harm not long ago, and stays in a process of its own.'},
  quarantine: {mark: 'bad', text: 'in quarantine', meaning: 'It did harm, and is not asked for a while.'},
  shared: {mark: 'warn', text: 'shared', meaning: 'It did harm, but shares a process with others, because the configuration says so.'},
};

/** Of a provider: a state that is good, but with a last query that failed, is not. */
export function standingOf({state, error}) {
  const standing = STANDINGS[state] ?? {mark: '', text: state, meaning: ''};
  if (standing.mark === 'good' && error) return {mark: 'bad', text: 'failing', meaning: 'Its last query failed.'};
  return standing;
}

/** What a provider did or why it fails, as sentences; none if all is well. */
export function blame({provider, library, harms, last_harm: lastHarm, error}) {
  if (harms > 0) {
    const file = library && library !== provider ? ` (${library})` : '';
    const count = harms === 1 ? 'once' : `${plain(harms)} times`;
    return [`${provider}${file} damaged its process ${count}.`, asSentence(lastHarm)].filter(Boolean);
  }
  return error ? ['Its last query failed.', asSentence(error)] : [];
}

/** What the exporter does about such a provider. */
export function treatment({quarantine_seconds: quarantine, apart_seconds: apart}) {
  const sentences = [];
  if (quarantine > 0) sentences.push(`It is not asked for another ${wait(quarantine)}; then it is tried again.`);
  if (apart > 0) sentences.push(`It runs in a process of its own for ${wait(apart)} more, so that it cannot harm the others.`);
  return sentences;
}

function wait(seconds) {
  return duration(Math.ceil(seconds));
}

// A name that a shell takes as one word, or as one in quotes, whatever shell it is.
const PLAIN_NAME = /^[\w.:() \-[\]]+$/;

/** What helps against a provider that does harm or fails: steps as the API has them. */
export function providerRepair(name) {
  const isPlain = PLAIN_NAME.test(name);
  return [
    {
      command: isPlain ? `winperf_exporter providers "${name}" --try` : 'winperf_exporter providers --try',
      text: 'loads it in a process of its own and shows what happens',
    },
    {command: null, text: 'update or reinstall the product that it belongs to, and tell its vendor'},
    {command: null, text: 'if that does not help, list it under workers.leave_out in the configuration: the exporter then does without it'},
    {command: isPlain ? `lodctr /D:"${name}"` : null, text: 'or disable it for all programs with lodctr /D'},
  ];
}

/** A value of the configuration as a text; null for a default that is no single value. */
export function settingText(value) {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')) {
    return value.length > 0 ? value.join(', ') : '[]';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Where a value of the configuration comes from: server.yaml:4, --interval, default. */
export function sourceText({source, line, option}, file) {
  if (source === 'file') {
    const name = (file ?? '').split(/[\\/]/).at(-1) || 'file';
    return line ? `${name}:${line}` : name;
  }
  return option ? `command line: ${option}` : source;
}

export function wasChanged({source}) {
  return source !== 'default';
}

/** Whether any of the texts has what is searched for, whatever its case. */
export function matches(texts, wanted) {
  const search = wanted.trim().toLowerCase();
  return search === '' || texts.some((text) => text !== null && text !== undefined && String(text).toLowerCase().includes(search));
}
