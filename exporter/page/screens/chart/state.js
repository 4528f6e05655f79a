// All that a chart shows, as the address has it, so that it can be sent to a colleague: the counters, the time, what is hidden,
// scales that were chosen, and what it is compared with. Pens follow from the order.

import {DAY, edges, lengthOf, lengthText, MINUTE} from './span.js';
import {isScale} from './scales.js';
import {apiTime, parseTime} from '../../text/times.js';

export const MOST_PATHS = 50;
/** By what the legend can be sorted. */
export const SORTS = ['last', 'average', 'least', 'most'];
const LENGTH = 15 * MINUTE;

/**
 * @typedef {{paths: string[], view: import('./span.js').View, hidden: Set<string>, dropped: Set<string>, scales: Map<string, number>,
 *     compare: 'previous'|number|null, sort: string|null}} State `hidden`, `dropped` and `scales` have names of lines, which are
 *     paths of one instance; a dropped one is not in the legend either; a scale is a power of ten; `compare` in milliseconds back;
 *     `sort` is a number of the legend, the greatest first, or null for the order of the paths
 */

/** @param {URLSearchParams} params @returns {State} */
export function stateOf(params) {
  return {
    paths: [...new Set(params.getAll('path'))].slice(0, MOST_PATHS),
    view: viewOf(params.get('since'), params.get('until')),
    hidden: new Set(params.getAll('hide')),
    dropped: new Set(params.getAll('drop')),
    scales: new Map(params.getAll('scale').map(scaleOf).filter(Boolean)),
    compare: compareOf(params.get('compare')),
    sort: SORTS.includes(params.get('sort')) ? params.get('sort') : null,
  };
}

function viewOf(since, until) {
  const length = lengthOf(since);
  if (length !== null && !until) return {live: true, length};
  const to = parseTime(until ?? '');
  const from = length !== null ? to - length : parseTime(since ?? '');
  if (Number.isFinite(from) && Number.isFinite(to) && from < to) return {live: false, from, to};
  return {live: true, length: LENGTH};
}

// -3:\Memory\Available Bytes
function scaleOf(text) {
  const colon = text.indexOf(':');
  const power = Number(text.slice(0, colon));
  return colon > 0 && isScale(power) ? [text.slice(colon + 1), power] : null;
}

function compareOf(text) {
  return text === 'previous' ? text : lengthOf(text);
}

/** @param {State} state @returns {Object} parameters of the address */
export function paramsOf({paths, view, hidden, dropped, scales, compare, sort}) {
  return {
    path: paths,
    since: view.live ? (view.length === LENGTH ? null : lengthText(view.length)) : apiTime(view.from),
    until: view.live ? null : apiTime(view.to),
    hide: [...hidden],
    drop: [...dropped],
    scale: [...scales].map(([name, power]) => `${power}:${name}`),
    compare: typeof compare === 'number' ? lengthText(compare) : compare,
    sort,
  };
}

/** How far back the second span lies, or null. */
export function offsetOf(state, now) {
  if (state.compare !== 'previous') return state.compare;
  const [from, to] = edges(state.view, now);
  return to - from;
}

/** Spans to compare with, as the menu has them. */
export const COMPARISONS = [
  {name: 'An hour before', value: 60 * MINUTE},
  {name: 'A day before', value: DAY},
  {name: 'A week before', value: 7 * DAY},
];
