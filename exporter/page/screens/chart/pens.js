// A pen for each line: a colour and a dash, since colours alone can't be told apart by everybody. A line keeps its pen while
// others come and go.

import {PENS} from '../../parts/colours.js';

// Lengths in CSS pixels; uPlot scales them.
const DASHES = [[], [9, 4], [2, 3], [10, 3, 2, 3], [16, 3]];

/** Of a line of the time that is compared with. */
export const COMPARED_DASH = [3, 4];

/** @param {number} index from 0 on @returns {{colour: string, dash: number[]}} the colour's name in styles/colours.css */
export function penOf(index) {
  // Shifted after each round of colours, so that 50 pens differ.
  return {colour: `pen-${(index % PENS) + 1}`, dash: DASHES[(index + Math.floor(index / PENS)) % DASHES.length]};
}

/** Gives out pens, the first that is free. */
export class Pens {
  #indexes = new Map();

  /** Keeps the pens of lines that stay. @param {string[]} keys of all lines */
  assign(keys) {
    const wanted = new Set(keys);
    for (const key of [...this.#indexes.keys()]) if (!wanted.has(key)) this.#indexes.delete(key);
    const taken = new Set(this.#indexes.values());
    let next = 0;
    for (const key of keys) {
      if (this.#indexes.has(key)) continue;
      while (taken.has(next)) ++next;
      taken.add(next);
      this.#indexes.set(key, next);
    }
  }

  of(key) {
    return penOf(this.#indexes.get(key) ?? 0);
  }
}
