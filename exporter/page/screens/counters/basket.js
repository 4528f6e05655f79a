// Counters that were chosen, also of several objects, for one chart.

import {element, replaceChildren} from '../../parts/dom.js';
import {addressOf} from '../../shell/address.js';

const MOST = 50;  // of a chart

/** @param {Element} place at the end of the screen */
export function openBasket(place) {
  const paths = new Set();
  const watchers = new Set();
  const changed = () => {
    place.hidden = paths.size === 0;
    const text = paths.size === 1 ? 'Chart 1 counter' : `Chart ${paths.size} counters`;
    replaceChildren(place,
      element('a', {class: 'button primary', href: addressOf('chart', {path: [...paths]})}, text),
      element('button', {type: 'button', onclick: clear}, 'Choose none'),
      element('span', {class: 'dim small', role: 'status'}, paths.size >= MOST ? `A chart has at most ${MOST}.` : ''));
    for (const watcher of watchers) watcher();
  };
  const clear = () => {
    paths.clear();
    changed();
  };
  changed();
  return {
    has: (path) => paths.has(path),
    isFull: () => paths.size >= MOST,
    put(path, isIn) {
      if (isIn && paths.size < MOST) paths.add(path);
      else paths.delete(path);
      changed();
    },
    /** Calls `watcher` on each change. Returns a function that ends that. */
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}
