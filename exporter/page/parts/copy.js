// Copying a text: a button that says what it did.

import {element, setText} from './dom.js';

const SAID_MS = 1500;

/**
 * @param {string} label on the button
 * @param {string|function(): string} text
 */
export function copyButton(label, text) {
  const button = element('button', {type: 'button', class: 'quiet'}, label);
  button.addEventListener('click', async () => {
    const done = await copy(typeof text === 'function' ? text() : text);
    setText(button, done ? 'Copied' : 'Not copied');
    setTimeout(() => setText(button, label), SAID_MS);
  });
  return button;
}

/** Without TLS, browsers have no clipboard but the one of a selection. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element('textarea', {class: 'only-read', readonly: true});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
