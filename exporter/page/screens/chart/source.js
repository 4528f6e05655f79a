// Where a chart's values come from: a series that is live, or what the recorder has of a time that stays.

import {ApiError, getDocument, pause} from '../../data/api.js';
import {machineNow} from '../../data/machine.js';
import {LiveSeries} from '../../data/series.js';
import {stepFor} from '../../data/history.js';
import {since} from './blocks.js';
import {LongSeries, POINTS, stepsAtLast} from './long.js';
import {AFTER, edges, MINUTE} from './span.js';

const LIVE_MS = 15 * MINUTE;
// Zooming and moving is several changes in a row; the last one is asked for.
const PATIENCE_MS = 250;

export class Source {
  #tell;
  #signal;
  #asked = '';
  #paths = [];
  #view = null;
  #live = null;  // {series, length, end}
  #still = null;  // {blocks, from, to, step}
  #loading = null;
  #checked = '';
  /** Samples that came since the view stays. */
  newSamples = 0;

  /**
   * @param {{change: function(), error: function(ApiError|null), refused: function(Map<string, ApiError>)}} tell `refused` gets
   *     the paths that the API does not answer
   * @param {AbortSignal} signal
   */
  constructor(tell, signal) {
    this.#tell = tell;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#end());
  }

  /** @param {string[]} paths @param {import('./span.js').View} view */
  show(paths, view) {
    const asked = JSON.stringify(paths);
    if (asked !== this.#asked) {
      this.#asked = asked;
      this.#checked = '';
      this.#paths = paths;
      this.#end();
    }
    this.#view = view;
    if (this.#paths.length === 0) return;
    if (view.live) this.#goOn(view.length);
    else this.#stay(view);
  }

  /** The time of the last sample. */
  now() {
    const times = (this.#live?.series.blocks() ?? []).map((block) => block.times.at(-1)).filter((time) => time !== undefined);
    return times.length > 0 ? Math.max(...times) : machineNow();
  }

  blocks() {
    return this.#still?.blocks ?? this.#live?.series.blocks() ?? [];
  }

  /** Whether the recorder is asked for a time that stays. */
  isLoading() {
    return this.#loading !== null;
  }

  #end() {
    this.#live?.end.abort();
    this.#loading?.abort();
    this.#live = null;
    this.#still = null;
    this.#loading = null;
    this.newSamples = 0;
  }

  #goOn(length) {
    this.#loading?.abort();
    this.#loading = null;
    this.#still = null;
    this.newSamples = 0;
    if (this.#live?.length === length) return;
    this.#live?.end.abort();
    const Series = length <= LIVE_MS ? LiveSeries : LongSeries;
    const end = new AbortController();
    const change = () => {
      if (end.signal.aborted) return;
      if (this.#still) ++this.newSamples;
      this.#tell.error(null);
      this.#tell.change();
    };
    const error = (one) => {
      if (!end.signal.aborted) this.#failed(one);
    };
    this.#live = {length, end, series: null};
    this.#live.series = new Series(this.#paths, length / 1000, {change, error}, end.signal);
  }

  #failed(error) {
    if (error.status === 400 && this.#checked !== JSON.stringify(this.#paths)) this.#check(error);
    else this.#tell.error(error);
  }

  // One path that is wrong must not keep the others from being shown.
  async #check(error) {
    this.#checked = JSON.stringify(this.#paths);
    const asked = this.#asked;
    const wrong = new Map();
    await Promise.all(this.#paths.map(async (path) => {
      const why = await whyNot(path, this.#signal);
      if (why?.status === 400) wrong.set(path, why);
    }));
    if (this.#signal.aborted || asked !== this.#asked) return;
    this.#tell.refused(wrong);
    if (wrong.size === 0) {
      this.#tell.error(error);
      return;
    }
    this.#end();
    this.#paths = this.#paths.filter((path) => !wrong.has(path));
    this.show(JSON.parse(asked), this.#view);
  }

  #stay({from, to}) {
    if (!this.#still && this.#live) {
      const [start, end] = edges({live: true, length: this.#live.length}, this.now());
      const step = stepFor(end - start, POINTS);
      this.#still = {blocks: since(this.#live.series.blocks(), -Infinity), from: start, to: end + AFTER, step};
    }
    const known = this.#still;
    this.#loading?.abort();
    this.#loading = null;
    if (known && known.from <= from && known.to >= to && known.step <= stepFor(to - from, POINTS)) return;
    this.#load(from, to);
  }

  async #load(from, to) {
    const turn = new AbortController();
    this.#loading = turn;
    if (this.#still) await pause(PATIENCE_MS, turn.signal);
    const fail = (error) => {
      const isWrong = error.status === 400;
      if (isWrong) this.#loading = null;
      this.#failed(error);
      return !isWrong;
    };
    const found = await stepsAtLast(this.#paths, from, to, fail, turn.signal);
    if (!found) return;
    this.#still = {...found, from, to};
    this.#loading = null;
    this.#tell.error(null);
    this.#tell.change();
  }
}

/** The API's error for a path, or null if it has values or could have. */
export async function whyNot(path, signal) {
  try {
    await getDocument('range', {path, since: '1s'}, {signal});
    return null;
  } catch (error) {
    return error instanceof ApiError ? error : null;
  }
}
