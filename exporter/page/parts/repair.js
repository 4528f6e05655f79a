// What helps: the doctor's steps, in the order in which to try them, with a button that copies a command.

import {copyButton} from './copy.js';
import {element, replaceChildren} from './dom.js';
import {asSentence} from '../text/sentence.js';

/**
 * @param {Element} place is filled anew only if the steps are other ones
 * @param {Array<{command: string|null, text: string}>} steps
 */
export function showRepair(place, steps) {
  const key = JSON.stringify(steps);
  if (place.repairShown === key) return;
  place.repairShown = key;
  replaceChildren(place, steps.length > 0 && element('ol', {class: 'repair'}, steps.map(stepOf)));
}

function stepOf({command, text}) {
  if (!command) return element('li', null, asSentence(text));
  return element('li', null, element('span', {class: 'repair-command'}, element('code', null, command), copyButton('Copy', command)),
    element('span', {class: 'dim'}, asSentence(text)));
}
