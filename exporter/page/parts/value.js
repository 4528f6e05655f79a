// A value in a table or beside a chart: readable, exact under the pointer, and with its reason where it is missing.

import {whyMissing} from './reasons.js';
import {setAttribute, setText} from './dom.js';
import {exact, readable} from '../text/numbers.js';

/**
 * @param {Element} node
 * @param {number|null|undefined} value
 * @param {{kind: string, factor: number}} unit of unitOf()
 * @param {string|null} [reason] of the API
 */
export function showValue(node, value, unit, reason) {
  const isThere = Number.isFinite(value);
  setText(node, isThere ? readable(value, unit) : '–');
  setAttribute(node, 'title', isThere ? exact(value) : whyMissing(reason));
  node.classList.toggle('missing', !isThere);
}
