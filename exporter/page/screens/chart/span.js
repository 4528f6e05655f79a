// Which time a chart shows: the last minutes, which move on, or a time that stays. Pure: all times in milliseconds since 1970.

const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

// Times of the API have more decimals: the sample of a time is before the next millisecond.
export const AFTER = 1;

const SHORTEST = 10 * SECOND;
const LONGEST = 30 * DAY;

/**
 * @typedef {{live: true, length: number}|{live: false, from: number, to: number}} View
 */

/** @param {View} view @param {number} now the time of the last sample @returns {[number, number]} */
export function edges(view, now) {
  return view.live ? [now - view.length, now] : [view.from, view.to];
}

/** What was drawn with the mouse: this time, at least as long as a few samples, at its middle. */
export function between(one, other) {
  const middle = (one + other) / 2;
  const half = Math.max(Math.abs(one - other), SHORTEST) / 2;
  return {live: false, from: Math.round(middle - half), to: Math.round(middle + half)};
}

/**
 * Shorter with a factor below 1, longer above it; `at` keeps its place in the chart. A live view that is made longer or shorter
 * about its end stays live.
 * @param {View} view @param {number} factor
 * @param {{now: number, oldest: number|null, at?: number}} bounds `oldest` is what the recorder reaches back to, if known
 */
export function zoomed(view, factor, {now, oldest, at}) {
  const [from, to] = edges(view, now);
  const most = oldest === null ? LONGEST : Math.max(SHORTEST, now - oldest);
  const length = Math.min(Math.max((to - from) * factor, SHORTEST), Math.max(most, SHORTEST));
  if (view.live && at === undefined) return {live: true, length: Math.round(length)};
  const place = at === undefined ? 0.5 : (at - from) / (to - from);
  const fixed = at ?? (from + to) / 2;
  return within(fixed - place * length, length, {now, oldest});
}

/** Moved by a share of its length: below 0 to earlier times. */
export function panned(view, share, bounds) {
  const [from, to] = edges(view, bounds.now);
  return within(from + (to - from) * share, to - from, bounds);
}

function within(from, length, {now, oldest}) {
  let start = Math.min(from, now - length);
  if (oldest !== null) start = Math.max(start, Math.min(oldest, now - length));
  return {live: false, from: Math.round(start), to: Math.round(start + length)};
}

/** A length as in the address: 15m, 6h, 90s. */
export function lengthText(milliseconds) {
  const seconds = Math.round(milliseconds / SECOND);
  if (seconds % 86400 === 0) return `${seconds / 86400}d`;
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  if (seconds % 60 === 0) return `${seconds / 60}m`;
  return `${seconds}s`;
}

/** The opposite, also of 1h30m. Null if it is none, or of no length. */
export function lengthOf(text) {
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text ?? '');
  if (!match) return null;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const all = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
  return all > 0 && all <= 10 * LONGEST ? all : null;
}
