// Counters over a long time that moves on: steps as the recorder has them, then each sample as it comes. The newest steps are
// asked for again now and then, not with each sample: an answer of hours is had once.

import {ApiError, pause, whenVisible} from '../../data/api.js';
import {history, stepFor} from '../../data/history.js';
import {machineNow} from '../../data/machine.js';
import {appendSample, CLOCK_SET_BACK_MS, forget, samplesOf} from '../../data/series.js';
import {follow} from '../../data/stream.js';
import {appended, blocksOf, continued, later, since} from './blocks.js';

export const POINTS = 900;
const SHORTEST_PAUSE_MS = 30_000;
const AGAIN_MS = 5000;

/**
 * A time in steps of which a chart can show each.
 * @returns {Promise<{step: number, blocks: import('./blocks.js').Block[]}>} step in seconds
 */
async function steps(paths, from, to, signal) {
  const step = stepFor(to - from, POINTS);
  return {step, blocks: blocksOf(await history(paths, {since: from, until: to, step}, signal))};
}

/**
 * The same, asked again after an error.
 * @param {function(ApiError): boolean} fail whether it goes on
 * @returns {Promise<{step, blocks}|null>} null if it did not go on, or `signal` said stop
 */
export async function stepsAtLast(paths, from, to, fail, signal) {
  while (!signal.aborted) {
    try {
      const found = await steps(paths, from, to, signal);
      return signal.aborted ? null : found;
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof ApiError)) throw error;
      if (!fail(error)) return null;
    }
    await pause(AGAIN_MS, signal);
  }
  return null;
}

/** Like LiveSeries of data/series.js: the same questions are answered, of more time. */
export class LongSeries {
  #paths;
  #milliseconds;
  #tell;
  #signal;
  #steps = [];
  #tail = new Map();
  #step = 0;
  #known = null;  // up to here, steps are over

  /** @param {string[]} paths @param {number} seconds @param {{change, error, sample}} tell @param {AbortSignal} signal */
  constructor(paths, seconds, tell, signal) {
    this.#paths = paths;
    this.#milliseconds = seconds * 1000;
    this.#tell = tell;
    this.#signal = signal;
    this.#run();
    follow(paths, {
      event: (document) => this.#take(document),
      lost: () => {},  // the next steps have it
      error: (error) => tell.error(error),
    }, signal);
  }

  blocks() {
    return appended(this.#steps, [...this.#tail.values()]);
  }

  async #run() {
    while (!this.#signal.aborted) {
      let rest = AGAIN_MS;
      try {
        const now = machineNow();
        // A step that was not over yet is asked for again, with those after it.
        const isFirst = this.#known === null;
        const from = isFirst ? now - this.#milliseconds : Math.min(this.#known, now - 1000);
        const {step, blocks} = await (isFirst ? steps(this.#paths, from, now, this.#signal) : this.#more(from, now));
        this.#add(blocks, from, now);
        this.#step = step;
        this.#known = from + Math.floor((now - from) / (1000 * step)) * 1000 * step;
        this.#tell.change(this);
        rest = Math.max(SHORTEST_PAUSE_MS, 1000 * step);
      } catch (error) {
        if (this.#signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        this.#tell.error(error);
      }
      await pause(rest, this.#signal);
      await whenVisible(this.#signal);
    }
  }

  async #more(since, until) {
    return {step: this.#step, blocks: blocksOf(await history(this.#paths, {since, until, step: this.#step}, this.#signal))};
  }

  #add(blocks, from, now) {
    this.#steps = since(continued(this.#steps, blocks, from), now - this.#milliseconds);
    const tail = later([...this.#tail.values()], this.#steps);
    this.#tail = new Map(tail.map((block) => [`${block.counterset}\u0000${block.counter}`, block]));
  }

  // After the clock was set back, what is shown begins with the new times; the next steps have what was before.
  #startAnew() {
    this.#steps = [];
    this.#tail = new Map();
    this.#known = null;
  }

  #take(document) {
    for (const {counterset, counter, time, instances, values, reasons} of samplesOf(document)) {
      const key = `${counterset}\u0000${counter}`;
      if (time < this.#tail.get(key)?.times.at(-1) - CLOCK_SET_BACK_MS) this.#startAnew();
      if (!this.#tail.has(key)) this.#tail.set(key, {counterset, counter, times: [], lines: new Map()});
      appendSample(this.#tail.get(key), time, instances, values, reasons);
      forget(this.#tail.get(key), this.#milliseconds);
    }
    this.#tell.change(this);
  }
}
