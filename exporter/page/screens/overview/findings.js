// What is wrong with the machine, as rows for the top of the overview. Pure: from documents of the API to findings.

import {bytes, duration} from '../../text/numbers.js';
import {asSentence, counted} from '../../text/sentence.js';
import {nameOf} from './plan.js';

/**
 * @typedef {{key: string, level: string, word: string, sentence: string, repair: Array<{command: string|null, text: string}>,
 *     time?: number}} Finding `level` is bad, warn or note; `word` says what it is without its colour; `time` in milliseconds
 */

const OF_STATUS = {
  failed: {level: 'bad', word: 'Fails'},
  stale: {level: 'warn', word: 'Stale'},
  absent: {level: 'warn', word: 'Absent'},
  late: {level: 'warn', word: 'Late'},
};
// So many countersets with the same trouble are one row: mostly one provider has them all.
const ALIKE = 2;
const NAMED = 3;

/** @param {Array} countersets of /api/v1/countersets @returns {Finding[]} */
export function ofCountersets(countersets) {
  const groups = new Map();
  for (const counterset of countersets) {
    const status = isLate(counterset) ? 'late' : counterset.status;
    if (!OF_STATUS[status]) continue;
    const key = JSON.stringify([status, counterset.reason, counterset.repair]);
    if (!groups.has(key)) groups.set(key, {status, members: []});
    groups.get(key).members.push(counterset);
  }
  const findings = [...groups.values()].flatMap(({status, members}) =>
    members.length < ALIKE ? members.map((member) => ofOne(status, member)) : [ofSeveral(status, members)]);
  const pending = countersets.filter((counterset) => counterset.status === 'pending');
  if (pending.length > 0) {
    const sentence = `${counted(pending.length, 'counterset')} ${pending.length === 1 ? 'waits' : 'wait'} for the first sample.`;
    findings.push({key: 'pending', level: 'note', word: 'Waits', sentence, repair: []});
  }
  return findings;
}

// Fresh, but not as fresh as its interval promises.
function isLate({status, age_seconds: age, interval_seconds: interval, late_seconds: late}) {
  return status === 'ok' && ((late ?? 0) >= interval || (age ?? 0) > 2 * interval + 1);
}

function ofOne(status, counterset) {
  const name = nameOf(counterset);
  const said = counterset.sentence ? asSentence(counterset.sentence) : sentenceOf(status, `“${name}”`, counterset);
  return {...OF_STATUS[status], key: `${status} ${counterset.name}`, sentence: said, repair: counterset.repair ?? []};
}

function sentenceOf(status, name, {age_seconds: age, interval_seconds: interval}) {
  const since = age === null || age === undefined ? 'has no sample yet' : `was last sampled ${duration(Math.round(age))} ago`;
  if (status === 'failed') return `${name} can't be sampled.`;
  if (status === 'absent') return `${name} does not exist on this machine.`;
  return `${name} ${since}, and should be each ${duration(interval)}.`;
}

function ofSeveral(status, members) {
  const names = members.slice(0, NAMED).map((member) => `“${nameOf(member)}”`).join(', ');
  const rest = members.length > NAMED ? ` and ${members.length - NAMED} more` : '';
  const what = {failed: 'fail', stale: 'are stale', absent: 'are absent', late: 'are late'}[status];
  const first = members[0].sentence ? ` ${asSentence(members[0].sentence)}` : '';
  return {
    ...OF_STATUS[status],
    key: `${status} ${members[0].name} and others`,
    sentence: `${members.length} countersets ${what}: ${names}${rest}.${first}`,
    repair: members[0].repair ?? [],
  };
}

// A volume without a letter or folder is one of the system's own, such as that for recovery, which is always nearly full.
const OWN_VOLUME = /^HarddiskVolume\d+$/;

/** @param {Array<{name: string, free: number|null, freeBytes: number|null}>} volumes `free` in percent @returns {Finding[]} */
export function ofVolumes(volumes) {
  return volumes.filter(({name, free}) => Number.isFinite(free) && free < 10 && !OWN_VOLUME.test(name)).map(({name, free, freeBytes}) => {
    const percent = free < 1 ? 'less than 1 %' : `${Math.floor(free)} %`;
    const left = Number.isFinite(freeBytes) ? `${bytes(freeBytes)} (${percent})` : percent;
    return {
      key: `volume ${name}`,
      level: free < 5 ? 'bad' : 'warn',
      word: free < 5 ? 'Full' : 'Nearly full',
      sentence: `${name} has ${left} free.`,
      repair: [],
    };
  });
}

const OF_KIND = {
  worker_lost: {level: 'warn', word: 'Restarted', of: (subject) => `The worker for ${subject} was restarted. `},
  provider_harm: {level: 'warn', word: 'Harm'},
  target_hangs: {level: 'warn', word: 'Hangs'},
  reload_failed: {level: 'warn', word: 'Refused'},
  clock_backwards: {level: 'warn', word: 'Clock'},
  gap: {level: 'warn', word: 'Gap'},
  started: {level: 'note', word: 'Started', sentence: 'The exporter started.'},
};

/**
 * What happened, each kind of a thing once, with how often.
 * @param {Array<{time: number, kind: string, subject: string|null, text: string}>} marks of data/annotations.js, the oldest first
 * @returns {Finding[]}
 */
export function ofAnnotations(marks) {
  const last = new Map();
  for (const mark of marks) {
    if (!OF_KIND[mark.kind]) continue;
    const key = `${mark.kind} ${mark.subject ?? ''}`;
    last.set(key, {mark, times: (last.get(key)?.times ?? 0) + 1});
  }
  // A configuration that was refused is no trouble any more once one was applied.
  const applied = marks.findLast((mark) => mark.kind === 'reloaded' || mark.kind === 'started')?.time ?? -Infinity;
  return [...last].filter(([, {mark}]) => mark.kind !== 'reload_failed' || mark.time > applied).map(([key, {mark, times}]) => ({
    level: OF_KIND[mark.kind].level,
    word: OF_KIND[mark.kind].word,
    key,
    sentence: sentenceOfMark(mark) + (times > 1 ? ` ${times} times in the last hour, the last time at` : ''),
    repair: [],
    time: mark.time,
  }));
}

function sentenceOfMark({kind, subject, text}) {
  const {sentence, of} = OF_KIND[kind];
  return sentence ?? (of && subject ? of(subject) : '') + asSentence(text);
}

/** @param {Object} machine of /api/v1/machine @returns {Finding[]} */
export function ofMachine({uptime_seconds: uptime, boot_time: boot}) {
  if (!Number.isFinite(uptime) || uptime > 3600) return [];
  return [{key: 'boot', level: 'note', word: 'Restarted', sentence: 'Windows started within the last hour.', repair: [],
    time: boot ? Date.parse(boot) : undefined}];
}

/** @param {Object} diagnosis of /api/v1/doctor @returns {Finding[]} */
export function ofDiagnosis({countersets, checks}) {
  const levels = {failed: {level: 'bad', word: 'Fails'}, warning: {level: 'warn', word: 'Warning'}};
  return [...countersets, ...checks].flatMap((entry) => [{...entry, severity: entry.status}, ...(entry.also ?? [])])
    .filter(({severity}) => levels[severity])
    .map(({severity, sentence, repair}) => ({
      ...levels[severity], key: `doctor ${sentence}`, sentence: asSentence(sentence), repair: repair ?? [],
    }));
}

const ORDER = ['bad', 'warn', 'note'];

/** The worst first, and nothing twice. @param {Finding[]} findings */
export function ordered(findings) {
  const said = new Set();
  const once = findings.filter(({sentence}) => !said.has(sentence) && said.add(sentence));
  return ORDER.flatMap((level) => once.filter((finding) => finding.level === level));
}
