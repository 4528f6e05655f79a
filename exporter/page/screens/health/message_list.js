// The messages of the program that were read so far.

// As many as the exporter keeps.
export const MOST = 1000;

const FAILING = new Set(['counterset_fails', 'counterset_stale', 'counterset_damaged', 'counterset_falls_back']);

/** The messages that were read, the newest last and at most MOST of them; each has a `key`. */
export class Messages {
  /** Why the last question had no answer, and whether any had. */
  error = null;
  wasRead = false;
  #all = [];
  #made = 0;

  all() {
    return this.#all;
  }

  /** For the question for what came since; null for the first one. */
  lastTime() {
    return this.#all.at(-1)?.time ?? null;
  }

  /**
   * Adds what is newer. The API gives those of the last time again.
   * @returns {boolean} whether there was anything new
   */
  add(messages) {
    const last = this.lastTime();
    const known = new Set(this.#all.filter(({time}) => time === last).map(identity));
    const added = messages.filter((message) => message.time !== last || !known.has(identity(message)));
    for (const message of added) this.#all.push({...message, key: String(++this.#made)});
    if (this.#all.length > MOST) this.#all.splice(0, this.#all.length - MOST);
    return added.length > 0;
  }

  /** The last message that a counterset fails, unless it worked again later. */
  lastAbout(counterset) {
    const last = this.#all.findLast(({subject, event}) => subject === counterset && event.startsWith('counterset_'));
    return last && FAILING.has(last.event) ? last : null;
  }
}

function identity({event, subject, text}) {
  return JSON.stringify([event, subject, text]);
}
