// What a screen shows in place of data that could not be had.

import {element, replaceChildren} from './dom.js';
import {asSentence} from '../text/sentence.js';

/**
 * @param {Element} place
 * @param {import('../data/api.js').ApiError} error
 */
export function showProblem(place, error) {
  // Most sentences have it already.
  const isSaid = !error.nearest || error.detail.includes(error.nearest);
  const nearest = isSaid ? null : element('p', {class: 'dim'}, `Did you mean ${error.nearest}?`);
  replaceChildren(place, element('div', {class: 'panel problem', role: 'alert'}, element('p', null, asSentence(error.detail)), nearest));
}
