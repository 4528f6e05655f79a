// The last minutes of one process: once from the recorder, then from the samples that the table gets anyway.

import {COUNTERS, SLOT, slotOf} from './counters.js';
import {ApiError, untilAnswered} from '../../data/api.js';
import {history} from '../../data/history.js';
import {instanceKey, instanceText, pathOf} from '../../text/paths.js';

const SLOTS = [SLOT.cpu, SLOT.memory, SLOT.working, SLOT.read, SLOT.write];
const POINTS = 180;
// Processes of one name are asked for together, because their numbers change when one of them ends. So many values make an answer.
const MOST_VALUES = 60_000;

export class ProcessPast {
  #lines = new Map(SLOTS.map((slot) => [slot, {times: [], values: []}]));
  #end = new AbortController();

  /**
   * @param {{row: import('./rows.js').Row, counterset: string, span: [number, number], brothers: number}} what
   * @param {{change: function(), error: function(ApiError)}} tell
   * @param {AbortSignal} signal
   */
  constructor(what, tell, signal) {
    signal.addEventListener('abort', () => this.end(), {signal: this.#end.signal});
    this.#load(what, tell);
  }

  end() {
    this.#end.abort();
  }

  /** @returns {{times: number[], values: Array<number|null>}} of a counter, in milliseconds */
  line(slot) {
    return this.#lines.get(slot);
  }

  /** A sample of the table. What is older than `since` is dropped. */
  add(row, time, since) {
    for (const [slot, line] of this.#lines) {
      if (!(time > (line.times.at(-1) ?? 0))) continue;
      const value = row.values[slot];
      line.times.push(time);
      line.values.push(Number.isNaN(value) ? null : value);
      let old = 0;
      while (old < line.times.length && line.times[old] < since) ++old;
      line.times.splice(0, old);
      line.values.splice(0, old);
    }
  }

  async #load({row, counterset, span, brothers}, tell) {
    const {signal} = this.#end;
    const points = Math.max(10, Math.min(POINTS, Math.floor(MOST_VALUES / SLOTS.length / Math.max(1, brothers))));
    const step = Math.max(1, Math.ceil((span[1] - span[0]) / 1000 / points));
    try {
      const paths = SLOTS.map((slot) => pathOf(counterset, namesOf(row, brothers), COUNTERS[slot]));
      const counters = await untilAnswered(() => history(paths, {since: span[0], until: span[1], step}, signal), signal);
      if (signal.aborted) return;
      for (const counter of counters) this.#take(counter, row);
      tell.change();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      tell.error(error);
    }
  }

  #take({counter, times, instances}, row) {
    const line = this.#lines.get(slotOf.get(counter.toLowerCase()));
    const instance = instances.find((one) => instanceKey(one) === row.key);
    if (!line || !instance) return;
    // Samples that came while the recorder was asked are newer.
    const later = line.times.findIndex((time) => time > (times.at(-1) ?? 0));
    const newer = later < 0 ? {times: [], values: []} : {times: line.times.slice(later), values: line.values.slice(later)};
    line.times = [...times, ...newer.times];
    line.values = [...instance.cooked, ...newer.values];
  }
}

// An id tells a process, but a path has perfmon's number.
function namesOf(row, brothers) {
  return brothers > 1 || row.endedAt !== null ? `${row.identity.name ?? row.identity.instance}*` : instanceText(row.identity);
}
