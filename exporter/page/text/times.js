// Times as people read them, in one of three zones: the browser's, the machine's and UTC. The page computes with milliseconds
// since 1970 as numbers; the API has them as texts of RFC 3339.

export const ZONES = ['browser', 'machine', 'utc'];
const KEY = 'winperf.zone';

let zone = 'browser';
let machineOffsetSeconds = null;  // not known until the machine has said it
const watchers = new Set();

try {
  const kept = localStorage.getItem(KEY);
  if (ZONES.includes(kept)) zone = kept;
} catch {
  // A browser without storage forgets the choice.
}

export function chosenZone() {
  return zone;
}

export function chooseZone(name) {
  if (!ZONES.includes(name)) return;
  zone = name;
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // As above.
  }
  for (const watcher of [...watchers]) watcher();
}

/** @param {number|null} seconds of the machine's time to UTC */
export function setMachineOffset(seconds) {
  if (seconds === machineOffsetSeconds) return;
  machineOffsetSeconds = seconds;
  for (const watcher of [...watchers]) watcher();
}

export function knowsMachineZone() {
  return machineOffsetSeconds !== null;
}

/** Calls `watcher` whenever times read differently. Returns a function that ends that. */
export function watchZone(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const formatters = new Map();

// Of which a Date can be made.
const LATEST = 8.64e15;

// The machine's zone is known by its offset alone: the time is moved by it and written as if it were UTC.
function format(time, options) {
  if (!(Math.abs(time) <= LATEST)) return '–';
  const isMachine = zone === 'machine' && machineOffsetSeconds !== null;
  const utc = zone === 'utc' || isMachine;
  const key = JSON.stringify(options) + utc;
  if (!formatters.has(key)) formatters.set(key, new Intl.DateTimeFormat(undefined, utc ? {...options, timeZone: 'UTC'} : options));
  return formatters.get(key).format(isMachine ? time + machineOffsetSeconds * 1000 : time);
}

/** Of RFC 3339, with as many decimals as there are. NaN if it is none. */
export function parseTime(text) {
  return Date.parse(text);
}

/** For the API, which knows nothing before 1970. */
export function apiTime(time) {
  return new Date(Math.min(LATEST, Math.max(0, time))).toISOString();
}

/** 14:05:03 */
export function clock(time) {
  return format(time, {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'});
}

/** 14:05 */
export function minute(time) {
  return format(time, {hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
}

/** 28 Nov, 14:05:03, in the order of the locale */
export function dayAndClock(time) {
  return format(time, {day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'});
}

/** Whether both are on one day, in the zone that is shown. */
export function isSameDay(one, other) {
  return format(one, {dateStyle: 'short'}) === format(other, {dateStyle: 'short'});
}

/** Whole, with the zone, for when the pointer is over a time. */
export function wholeTime(time) {
  const name = zone === 'machine' && machineOffsetSeconds !== null ? ` ${offsetText(machineOffsetSeconds)}` : '';
  return format(time, {dateStyle: 'full', timeStyle: name ? 'medium' : 'long'}) + name;
}

function offsetText(seconds) {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const two = (number) => String(number).padStart(2, '0');
  return `UTC${seconds < 0 ? '−' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function isDate(year, month, day) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * A moment that a person writes: "14:05", "14:05:30", or a date before it ("2026-11-28 14:05"), in the zone that is shown. A time
 * without a date is the last one that has passed. Null if it is none.
 */
export function momentOf(text, now = Date.now()) {
  const match = /^\s*(?:(\d{4})-(\d\d?)-(\d\d?)[ T]+)?(\d\d?):(\d\d)(?::(\d\d))?\s*$/.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minutes, seconds] = match.map((part) => (part === undefined ? undefined : Number(part)));
  if (hour > 23 || minutes > 59 || (seconds ?? 0) > 59) return null;
  if (year !== undefined && !isDate(year, month, day)) return null;
  if (zone === 'browser' || (zone === 'machine' && machineOffsetSeconds === null)) {
    const moment = new Date(now);
    if (year !== undefined) moment.setFullYear(year, month - 1, day);
    moment.setHours(hour, minutes, seconds ?? 0, 0);
    if (year === undefined && moment.getTime() > now) moment.setDate(moment.getDate() - 1);
    return moment.getTime();
  }
  const offset = zone === 'machine' ? machineOffsetSeconds * 1000 : 0;
  const moment = new Date(now + offset);
  if (year !== undefined) moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minutes, seconds ?? 0, 0);
  let time = moment.getTime() - offset;
  if (year === undefined && time > now) time -= 86_400_000;
  return time;
}
