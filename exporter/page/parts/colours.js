// The colours of the style sheet for what is drawn on a canvas.

const scheme = matchMedia('(prefers-color-scheme: dark)');
let known = new Map();

/** @param {string} name of a variable in styles/colours.css, without -- */
export function colour(name) {
  if (!known.has(name)) known.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return known.get(name);
}

/** Calls `watcher` when the system changes between light and dark. */
export function watchColours(watcher, signal) {
  const change = () => {
    known = new Map();
    watcher();
  };
  scheme.addEventListener('change', change);
  signal.addEventListener('abort', () => scheme.removeEventListener('change', change));
}

export const PENS = 10;

/** The colour of the nth pen, from 0 on. */
export function pen(index) {
  return colour(`pen-${(index % PENS) + 1}`);
}
