// The stream of all that the overview shows: one, of what the machine samples now.

import {ApiError, getDocument} from '../../data/api.js';
import {LiveSeries} from '../../data/series.js';
import {turnOf} from '../../parts/turn.js';
import {nameOf, planOf, wantedOf} from './plan.js';
import {SECONDS} from './timeline.js';

/**
 * Follows the counters that the overview shows, as far as the machine samples them, and follows others when that changes.
 * @param {function({sources, paths})} show gets each plan
 * @param {{change, error}} tell of LiveSeries
 * @returns {{take: function(Array), again: function()}} `take` gets the countersets each time that they are read
 */
export function followPlan(show, tell, signal) {
  const known = new Map();
  let followed = null;
  let shown = null;
  let end = null;
  let isAsking = false;

  async function take(countersets) {
    if (isAsking) return;
    isAsking = true;
    try {
      await learn(wantedOf(countersets).filter((counterset) => !known.has(nameOf(counterset))), known, signal);
    } finally {
      isAsking = false;
    }
    if (signal.aborted) return;
    const plan = planOf(countersets, known);
    const now = JSON.stringify(Object.values(plan.sources).map(({state, name, interval, counterset}) =>
      [state, name, interval, state === 'sampled' ? '' : counterset?.sentence]));
    if (now !== shown) {
      shown = now;
      show(plan);
    }
    const paths = JSON.stringify(plan.paths);
    if (paths === followed) return;
    followed = paths;
    end?.abort();
    end = turnOf(signal);
    new LiveSeries(plan.paths, SECONDS, tell, end.signal);
  }
  return {
    take,
    /** After an error: what was known may be so no more. */
    again() {
      end?.abort();
      known.clear();
      followed = null;
    },
  };
}

// What counters a counterset has is asked once. One that has not been read yet has none, and is asked again.
async function learn(countersets, known, signal) {
  await Promise.all(countersets.map(async ({name, object}) => {
    try {
      const {counters} = await getDocument(`countersets/${encodeURIComponent(name)}`, {}, {signal});
      if (counters.length > 0) known.set(nameOf({name, object}), counters.map((counter) => counter.name));
    } catch (error) {
      if (error.name !== 'AbortError' && !(error instanceof ApiError)) throw error;
    }
  }));
}
