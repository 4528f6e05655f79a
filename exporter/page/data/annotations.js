// What a chart marks: restarts, reloads, gaps, steps of the clock; /api/v1/annotations.

import {poll, shown} from './api.js';
import {apiTime, parseTime} from '../text/times.js';

const SECONDS = 15;

/**
 * Follows what happened since a time that `since()` says, in milliseconds.
 * @param {function(): number} since
 * @param {function(Array<{time: number, until: number|undefined, kind: string, subject: string|null, text: string}>)} show the oldest
 *     first; of this machine without what its targets do to the processes that read them
 * @param {AbortSignal} signal
 */
export function followAnnotations(since, show, signal) {
  poll('annotations', () => ({since: apiTime(since())}), SECONDS, (document) => {
    if (document) show(document.annotations.filter(isShown).map(markOf));
  }, signal);
}

function isShown({kind, subject}) {
  return shown.target !== null || (kind !== 'target_hangs' && !(kind === 'worker_lost' && /^remote\d+$/.test(subject ?? '')));
}

function markOf({time, until, kind, subject, text}) {
  return {time: parseTime(time), until: until ? parseTime(until) : undefined, kind, subject, text};
}
