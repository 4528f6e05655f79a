// The state of a counterset as a word with a mark, and what is wrong with it, with the repair.

import {copyButton} from './copy.js';
import {element, replaceChildren, setAttribute, setText} from './dom.js';
import {asSentence} from '../text/sentence.js';

// Of the API: which mark, and which word for people.
const STATES = {
  ok: ['good', 'ok'],
  stale: ['warn', 'stale'],
  pending: ['', 'not read yet'],
  absent: ['warn', 'not on this machine'],
  failed: ['bad', 'failed'],
};

/** @param {Element} node which gets the class `state` @param {string} status of a counterset in the API */
export function showStatus(node, status) {
  const [mark, word] = STATES[status] ?? ['', status];
  setAttribute(node, 'class', `state ${mark}`.trim());
  setText(node, word);
}

/**
 * Says why something failed, and what repairs it. It is made anew only when that changes.
 * @param {Element} place
 * @param {string|null} sentence
 * @param {Array<{text: string|null, command: string|null}>} repair
 */
export function showRepair(place, sentence, repair) {
  const key = JSON.stringify([sentence, repair]);
  if (place.shownRepair === key) return;
  place.shownRepair = key;
  place.hidden = !sentence && repair.length === 0;
  replaceChildren(place, sentence ? element('p', null, asSentence(sentence)) : null,
    repair.length > 0 ? element('ul', {class: 'repair'}, repair.map(stepOf)) : null);
}

function stepOf({text, command}) {
  if (!command) return element('li', null, asSentence(text ?? ''));
  return element('li', null, element('code', null, command), copyButton('Copy', command), text ? element('p', {class: 'dim'}, asSentence(text)) : null);
}
