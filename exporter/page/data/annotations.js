// What a chart marks: restarts, reloads, gaps, steps of the clock; /api/v1/annotations.

import {poll} from './api.js';
import {apiTime, parseTime} from '../text/times.js';

const SECONDS = 15;

/**
 * Follows what happened since a time that `since()` says, in milliseconds.
 * @param {function(): number} since
 * @param {function(Array<{time: number, until: number|undefined, kind: string, text: string}>)} show the oldest first
 * @param {AbortSignal} signal
 */
export function followAnnotations(since, show, signal) {
  poll('annotations', () => ({since: apiTime(since())}), SECONDS, (document) => {
    if (document) show(document.annotations.map(markOf));
  }, signal);
}

function markOf({time, until, kind, text}) {
  return {time: parseTime(time), until: until ? parseTime(until) : undefined, kind, text};
}
