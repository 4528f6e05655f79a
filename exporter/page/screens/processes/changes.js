// Which processes started and ended within a span: what `top` remembers, and what is seen to come and go.

import {SLOT} from './counters.js';
import {makeRow} from './rows.js';
import {parseTime} from '../../text/times.js';
import {instanceKey} from '../../text/paths.js';

/** As many as `top` tells. */
export const MOST_LEADERS = 1000;
// What was seen to end is kept within this bound, the latest.
const MOST_ENDED = 2000;

export class Changes {
  /** In milliseconds. */
  since = NaN;
  until = NaN;
  /** Rows of processes that have ended, by their key. @type {Map<string, import('./rows.js').Row>} */
  ended = new Map();
  /** Whether `top` has left out some: it tells the busiest first. */
  isPart = false;
  /** Whether `top` has answered. */
  isKnown = false;
  #born = new Map();

  /** @param {Object} top a document of the API over the span */
  take(top) {
    this.isKnown = true;
    this.isPart = top.leaders.length >= MOST_LEADERS;
    this.#born = new Map();
    for (const leader of top.leaders) {
      const key = instanceKey(leader);
      if (leader.born) this.#born.set(key, parseTime(leader.from));
      if (leader.ended && !this.ended.has(key)) this.#add(endedRow(leader, key));
    }
    this.#forget();
  }

  /** Processes that are not in the sample any more, whose last one was at `time`. */
  end(rows, time) {
    for (const row of rows) {
      row.endedAt = time;
      this.#add(row);
    }
  }

  /** Another span, in milliseconds. */
  move(since, until) {
    this.since = since;
    this.until = until;
    this.#forget();
  }

  /** Marks rows that exist with when they started, and ended, if that was within the span. */
  mark(rows) {
    for (const row of rows) {
      row.startedAt = this.#isWithin(row.start) ? row.start : this.#within(this.#born.get(row.key));
      row.endedAt = this.ended.get(row.key)?.endedAt ?? null;
    }
    for (const row of this.ended.values()) {
      row.startedAt = this.#isWithin(row.start) ? row.start : this.#within(this.#born.get(row.key));
    }
  }

  /**
   * Those that started, of the rows that exist and those that have ended.
   * @returns {import('./rows.js').Row[]}
   */
  started(rows) {
    const isStarted = (row) => row.startedAt !== null;
    const there = new Set(rows.map((row) => row.key));
    return [...rows.filter(isStarted), ...[...this.ended.values()].filter((row) => isStarted(row) && !there.has(row.key))];
  }

  #isWithin(time) {
    return time >= this.since && time <= this.until;
  }

  #within(time) {
    return time !== undefined && this.#isWithin(time) ? time : null;
  }

  #add(row) {
    this.ended.delete(row.key);
    this.ended.set(row.key, row);
  }

  #forget() {
    for (const [key, row] of this.ended) if (!this.#isWithin(row.endedAt)) this.ended.delete(key);
    for (const key of this.ended.keys()) {
      if (this.ended.size <= MOST_ENDED) break;
      this.ended.delete(key);
    }
  }
}

function endedRow(leader, key) {
  const row = makeRow(leader, key);
  row.values[SLOT.cpu] = leader.cooked ?? NaN;
  row.endedAt = parseTime(leader.to);
  if (leader.born) row.start = parseTime(leader.from);
  return row;
}
