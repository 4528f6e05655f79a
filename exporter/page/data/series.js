// Series of counters over the last minutes: what the recorder has when a screen opens, then each sample as it comes, without a
// gap and without growing.

import {ApiError, pause} from './api.js';
import {history, stepFor} from './history.js';
import {machineNow} from './machine.js';
import {follow} from './stream.js';
import {inTasks} from './tasks.js';
import {parseTime} from '../text/times.js';
import {instanceKey} from '../text/paths.js';

const MOST_POINTS = 900;
// Without a connection, the history is asked for again.
const AGAIN_MS = 5000;
// The first event of a stream may have the last sample of the history, whose time may differ in the last digits.
const SAME_SAMPLE_MS = 2;
// A sample that is older than the last one by more than this was taken after the clock was set back.
export const CLOCK_SET_BACK_MS = 1500;

/**
 * A counter of all instances that its path matches.
 * @typedef {{counterset: string, counter: string, times: number[], lines: Map<string, Line>}} Block times in milliseconds
 * @typedef {{identity: Object, values: Array<number|null|undefined>, reason: string|null}} Line a value for each time of the block:
 *     null if it is missing, with the reason of the last one; undefined where the instance did not exist
 */
export class LiveSeries {
  #paths;
  #milliseconds;
  #tell;
  #signal;
  #blocks = new Map();
  #waiting = [];
  #loads = 0;
  #hasHistory = false;

  /**
   * @param {string[]} paths at most 50
   * @param {number} seconds how much is kept
   * @param {{change: function(LiveSeries), error: function(ApiError)}} tell `change` after the history and after each sample
   * @param {AbortSignal} signal ends it
   */
  constructor(paths, seconds, tell, signal) {
    this.#paths = paths;
    this.#milliseconds = seconds * 1000;
    this.#tell = tell;
    this.#signal = signal;
    if (paths.length === 0) return;
    this.#load(machineNow() - this.#milliseconds);
    follow(paths, {
      event: (document) => this.#take(document),
      lost: () => this.#load(this.#lastTime() ?? machineNow() - this.#milliseconds),
      error: (error) => tell.error(error),
    }, signal);
  }

  /** @returns {Block|undefined} */
  block(counterset, counter) {
    return this.#blocks.get(`${counterset}\u0000${counter}`);
  }

  /** @returns {Block[]} */
  blocks() {
    return [...this.#blocks.values()];
  }

  // Samples that come meanwhile wait, because those of the history are older. Of several questions, the last one has them all.
  async #load(since) {
    const load = ++this.#loads;
    const isOver = () => this.#signal.aborted || load !== this.#loads;
    let isRefused = false;
    this.#hasHistory = false;
    try {
      const step = stepFor(this.#milliseconds, MOST_POINTS);
      const counters = await history(this.#paths, {since, step}, this.#signal);
      if (isOver()) return;
      await inTasks(counters, (counter) => !isOver() && this.#addHistory(counter), this.#signal);
    } catch (error) {
      if (isOver()) return;
      if (!(error instanceof ApiError)) throw error;
      // No recorder, or nothing sampled yet: the stream shows what comes.
      isRefused = error.status !== 503;
      if (isRefused) this.#tell.error(error);
      if (error.status === 0) {
        await pause(AGAIN_MS, this.#signal);
        if (!isOver()) this.#load(since);
        return;
      }
    }
    if (isOver()) return;
    this.#hasHistory = true;
    const waited = this.#waiting.splice(0);
    for (const document of waited) this.#add(document);
    // A change takes away what an error says.
    if (!isRefused || waited.length > 0) this.#tell.change(this);
  }

  #take(document) {
    if (!this.#hasHistory) {
      this.#waiting.push(document);
      return;
    }
    this.#add(document);
    this.#tell.change(this);
  }

  #add(document) {
    for (const {counterset, counter, time, instances, values, reasons} of samplesOf(document)) {
      const block = this.#blockOf(counterset, counter);
      if (time < block.times.at(-1) - CLOCK_SET_BACK_MS) startAnew(block);
      appendSample(block, time, instances, values, reasons);
      forget(block, this.#milliseconds);
    }
  }

  #addHistory({counterset, counter, times, instances}) {
    const block = this.#blockOf(counterset, counter);
    times.forEach((time, index) => {
      const there = instances.filter((instance) => instance.cooked[index] !== null || instance.reasons?.[index]);
      const reasons = there.map((instance) => instance.reasons?.[index] ?? null);
      appendSample(block, time, there, there.map((instance) => instance.cooked[index]), reasons);
    });
    forget(block, this.#milliseconds);
  }

  #blockOf(counterset, counter) {
    const key = `${counterset}\u0000${counter}`;
    if (!this.#blocks.has(key)) this.#blocks.set(key, {counterset, counter, times: [], lines: new Map()});
    return this.#blocks.get(key);
  }

  #lastTime() {
    const last = this.blocks().map((block) => block.times.at(-1)).filter((time) => time !== undefined);
    return last.length > 0 ? Math.min(...last) : null;
  }
}

/**
 * The samples of an event, one for each counter: several paths may be of the same one, such as of two instances.
 * @returns {Array<{counterset, counter, time: number, instances: Object[], values: Array<number|null>, reasons: Array<string|null>}>}
 */
export function samplesOf(document) {
  const samples = new Map();
  for (const {counterset, sampled_at: sampledAt, instances, counters} of document.values) {
    for (const {name, cooked, reasons} of counters ?? []) {
      const key = `${counterset}\u0000${name}`;
      if (!samples.has(key)) {
        samples.set(key, {counterset, counter: name, time: parseTime(sampledAt), instances: [], values: [], reasons: []});
      }
      const sample = samples.get(key);
      // A counter without instances has one value.
      const there = instances.length > 0 || cooked.length === 0 ? instances : [{}];
      sample.instances.push(...there);
      sample.values.push(...cooked);
      sample.reasons.push(...(reasons ?? cooked.map(() => null)));
    }
  }
  return [...samples.values()];
}

/** Forgets a block's samples: a chart can't show two times in one place. */
export function startAnew(block) {
  block.times = [];
  block.lines.clear();
}

/** Adds a sample to a block, unless the block has it or a newer one. */
export function appendSample(block, time, instances, values, reasons) {
  const last = block.times.at(-1);
  if (last !== undefined && time <= last + SAME_SAMPLE_MS) return;
  const length = block.times.push(time);
  instances.forEach((identity, index) => {
    const key = instanceKey(identity);
    let line = block.lines.get(key);
    if (!line) block.lines.set(key, (line = {identity, values: [], reason: null}));
    while (line.values.length < length - 1) line.values.push(undefined);
    // Two instances of one name, such as `a#1` and the second `a`: perfmon can't tell them apart either.
    if (line.values.length === length) return;
    line.values.push(values[index]);
    line.reason = values[index] === null ? reasons?.[index] ?? null : null;
  });
  for (const line of block.lines.values()) if (line.values.length < length) line.values.push(undefined);
}

/** Drops what is older than `milliseconds` before the last sample, and instances that have nothing left. */
export function forget(block, milliseconds) {
  const oldest = block.times.at(-1) - milliseconds;
  let count = 0;
  while (count < block.times.length && block.times[count] < oldest) ++count;
  if (count === 0) return;
  block.times.splice(0, count);
  for (const [key, line] of block.lines) {
    line.values.splice(0, count);
    if (line.values.every((value) => value === undefined)) block.lines.delete(key);
  }
}

/** The last value of a line: a number; null if it is missing, undefined if the instance is not there any more. */
export function lastValue(line) {
  return line.values.at(-1);
}
