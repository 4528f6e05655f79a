// Texts of the API, which begin in lower case and end without a full stop, as sentences that stand alone; and counted things.

import {plain} from './numbers.js';

/** @param {string} text a clause, or whole sentences */
export function asSentence(text) {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  // A name stays as it is; a word of lower case letters alone is the beginning of a sentence.
  const begun = /^[a-z]+(?=[\s,])/.test(trimmed) ? trimmed[0].toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** With a capital letter at its beginning. */
export function capital(text) {
  return text === '' ? text : text[0].toUpperCase() + text.slice(1);
}

/** "1 counterset", "2 countersets" */
export function counted(count, thing) {
  return `${plain(count)} ${thing}${count === 1 ? '' : 's'}`;
}
