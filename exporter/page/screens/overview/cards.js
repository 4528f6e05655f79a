// Cards of things that come and go, each with a signal of its own, which ends what it has started when its thing is gone.

import {keep} from '../../parts/dom.js';
import {turnOf} from '../../parts/turn.js';

/**
 * @param {Element} parent whose children only this makes
 * @param {AbortSignal} signal
 * @param {function(AbortSignal, Object): {node: Element, update: function(Object, ...*)}} make a card for an item
 * @returns {{show: function(Array<{key: string}>, ...*), each: function(function(Object))}} `show` gives what follows the items to
 *     each card's `update`
 */
export function cards(parent, signal, make) {
  const known = new Map();
  return {
    show(items, ...more) {
      keep(parent, items, ({key}) => key, (item) => {
        const end = turnOf(signal);
        const card = make(end.signal, item);
        known.set(item.key, {card, end});
        return card.node;
      }, (node, item) => known.get(item.key).card.update(item, ...more));
      if (known.size === items.length) return;
      const there = new Set(items.map(({key}) => key));
      for (const [key, {end}] of known) {
        if (there.has(key)) continue;
        end.abort();
        known.delete(key);
      }
    },
    each(visit) {
      for (const {card} of known.values()) visit(card);
    },
  };
}
