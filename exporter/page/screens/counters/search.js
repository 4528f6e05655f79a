// Asks the exporter what matches a text: counters, and instances of all objects.

import {ApiError, getDocument, pause} from '../../data/api.js';
import {turnOf} from '../../parts/turn.js';
import {instanceText} from '../../text/paths.js';
import {isHit} from './groups.js';

const TYPING_MS = 180;
const INSTANCES_FROM = 2;  // letters; one letter is in nearly every name
// Values of a counterset in a sample. Of a larger one only the names of instances are asked, and kept for a minute.
const MOST_VALUES = 20_000;
const NAMES_MS = 60_000;
const COUNTERSETS_OF_A_QUESTION = 50;

export class Search {
  #tell;
  #signal;
  #turn = null;
  #names = new Map();

  /**
   * @param {function({query, counters, leftOut, instances: Map<string, string[]>, error: ApiError|null})} tell
   * @param {AbortSignal} signal
   */
  constructor(tell, signal) {
    this.#tell = tell;
    this.#signal = signal;
  }

  /** Ends the search before. @param {string} query @param {Array} countersets of /api/v1/countersets */
  async ask(query, countersets) {
    this.stop();
    const turn = (this.#turn = turnOf(this.#signal));
    await pause(TYPING_MS, turn.signal);
    if (turn.signal.aborted) return;
    try {
      const [found, instances] = await Promise.all([
        getDocument('counters', {q: query}, {signal: turn.signal}),
        this.#instances(query, countersets, turn.signal),
      ]);
      if (!turn.signal.aborted) {
        this.#tell({query, counters: found.counters, leftOut: found.left_out ?? 0, instances, error: null});
      }
    } catch (error) {
      if (turn.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#tell({query, counters: [], leftOut: 0, instances: new Map(), error});
    } finally {
      turn.abort();
    }
  }

  stop() {
    this.#turn?.abort();
  }

  async #instances(query, countersets, signal) {
    const found = new Map();
    if (query.length < INSTANCES_FROM) return found;
    const multiple = countersets.filter(({instances, status}) => instances !== null && status === 'ok');
    const isLarge = ({instances, counters}) => instances * counters > MOST_VALUES;
    const large = multiple.filter(isLarge);
    const small = multiple.filter((counterset) => !isLarge(counterset)).map(({name}) => name);
    const questions = large.map(async ({name}) => {
      found.set(name, (await this.#namesOf(name, signal)).filter((instance) => isHit(instance, query)));
    });
    // Without names it is all of them in one question.
    const parts = large.length === 0 ? [undefined] : [];
    for (let first = 0; large.length > 0 && first < small.length; first += COUNTERSETS_OF_A_QUESTION) {
      parts.push(small.slice(first, first + COUNTERSETS_OF_A_QUESTION));
    }
    for (const counterset of parts) questions.push(sampled(query, counterset, signal).then((entries) => {
      for (const [name, names] of entries) found.set(name, names);
    }));
    await Promise.all(questions);
    return found;
  }

  async #namesOf(name, signal) {
    const known = this.#names.get(name);
    if (known && Date.now() - known.time < NAMES_MS) return known.names;
    const document = await getDocument(`countersets/${encodeURIComponent(name)}`, {}, {signal});
    this.#names.set(name, {time: Date.now(), names: document.instance_names});
    return document.instance_names;
  }
}

async function sampled(query, counterset, signal) {
  try {
    const instance = `*${query.replaceAll('*', '')}*`;
    const {countersets} = await getDocument('sample', {format: 'columns', instance, counterset}, {signal});
    return countersets.map(({name, instances}) => [name, instances.map(instanceText)]);
  } catch (error) {
    // Nothing is sampled yet, or a counterset has gone since the list was read: there are no instances to find.
    if (error instanceof ApiError && (error.status === 400 || error.status === 503)) return [];
    throw error;
  }
}
