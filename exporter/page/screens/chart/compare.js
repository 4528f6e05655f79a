// The second span of a chart, drawn below the first: what the recorder has of it, moved to where the first is.

import {moved} from './blocks.js';
import {stepsAtLast} from './long.js';

export class Comparison {
  #tell;
  #turn = null;
  #asked = '';
  #known = null;  // {blocks, until, offset}

  /**
   * @param {{change: function(), error: function(import('../../data/api.js').ApiError|null)}} tell
   * @param {AbortSignal} signal
   */
  constructor(tell, signal) {
    this.#tell = tell;
    signal.addEventListener('abort', () => this.#turn?.abort());
  }

  /**
   * @param {string[]} paths @param {number} from @param {number} to of the first span
   * @param {number|null} offset how far back the second lies
   * @param {boolean} isLive a span that moves on: a part of what follows is asked for with it, so that one question lasts a while
   */
  show(paths, from, to, offset, isLive) {
    if (offset === null || paths.length === 0) {
      this.#turn?.abort();
      this.#known = null;
      this.#asked = '';
      return;
    }
    const asked = JSON.stringify(isLive ? [paths, to - from, offset] : [paths, from, to, offset]);
    if (asked === this.#asked && (!isLive || to <= this.#known?.until || this.#turn)) return;
    if (asked !== this.#asked) this.#known = null;
    this.#asked = asked;
    const ahead = isLive ? Math.min(offset, Math.max(30_000, (to - from) / 10)) : 0;
    this.#load(paths, from, to + ahead, offset);
  }

  /** As if they were of the first span. */
  blocks() {
    return this.#known?.blocks ?? [];
  }

  async #load(paths, from, until, offset) {
    this.#turn?.abort();
    const turn = new AbortController();
    this.#turn = turn;
    const fail = (error) => {
      this.#tell.error(error);
      return true;
    };
    const found = await stepsAtLast(paths, from - offset, until - offset, fail, turn.signal);
    if (!found) return;
    this.#known = {blocks: moved(found.blocks, offset), until};
    this.#turn = null;
    this.#tell.error(null);
    this.#tell.change();
  }
}
