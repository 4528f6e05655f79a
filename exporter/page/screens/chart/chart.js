// The screen "chart": any counters of any objects over any time that the recorder has. What is shown follows from the state
// (state.js), which the address has, and from the values (source.js).

import {replaceChildren} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {ready} from '../../shell/ready.js';
import {addCounters} from './add.js';
import {isLike} from './blocks.js';
import {Comparison} from './compare.js';
import {Drawing} from './drawing.js';
import {exportsOf} from './exports.js';
import {listenToGestures} from './gestures.js';
import {layout} from './layout.js';
import {showPresets} from './presets.js';
import {oldestKnown, oldestOf} from './reach.js';
import {Source} from './source.js';
import {AFTER, edges, panned, zoomed, between} from './span.js';
import {offsetOf, paramsOf, stateOf} from './state.js';
import {exportTools, timeTools} from './tools.js';

export function open(place, {params, note, signal}) {
  const parts = layout(place);
  let state = stateOf(params);
  let refused = new Map();
  let oldest = null;
  let lastLength = state.view.live ? state.view.length : 15 * 60_000;
  let frame = 0;

  const source = new Source({
    change: () => schedule(),
    error: (error) => showError(error),
    refused: (wrong) => {
      refused = wrong;
      schedule();
    },
  }, signal);
  const comparison = new Comparison({change: () => schedule(), error: (error) => showError(error)}, signal);
  const showError = (error) => {
    // A connection that is lost is told above; what was there before stays.
    if (error?.status === 0 && source.blocks().length > 0) return;
    if (error) showProblem(parts.problem, error);
    else replaceChildren(parts.problem);
    if (error) ready('chart', signal);
  };

  /** Every change of what is shown goes through here. */
  const become = (changes) => {
    state = {...state, ...changes};
    if (state.view.live) lastLength = state.view.length;
    note(paramsOf(state));
    follow();
  };
  const follow = () => {
    parts.start.hidden = state.paths.length > 0;
    parts.charted.hidden = state.paths.length === 0;
    if (state.paths.length === 0 && !parts.start.dataset.shown) {
      parts.start.dataset.shown = 'yes';
      const begin = ({paths, drop = [], sort = null}) => become({paths, dropped: new Set(drop), sort});
      showPresets(parts.presets, begin, signal).then(() => ready('chart', signal));
    }
    refused = new Map([...refused].filter(([path]) => state.paths.includes(path)));
    source.show(state.paths, state.view);
    tools.show(state);
    schedule();
  };
  const schedule = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(update);
  };
  const update = () => {
    if (signal.aborted) return;
    const now = source.now();
    const [from, to] = edges(state.view, now);
    const good = state.paths.filter((path) => !refused.has(path));
    comparison.show(good, from, to, offsetOf(state, now), state.view.live);
    const counts = drawing.show({state, from, to, blocks: source.blocks(), compared: comparison.blocks(), newSamples: source.newSamples,
      offset: offsetOf(state, now), isLoading: source.isLoading()});
    const isThere = source.blocks().length > 0;
    adding.show(state.paths.map((path) => ({path, error: refused.get(path), lines: isThere ? counts.get(path) ?? 0 : null})));
    if (isThere) ready('chart', signal);
  };

  const bounds = (more) => ({now: source.now(), oldest: oldestKnown() ?? oldest, ...more});
  const act = {
    length: (length) => become({view: {live: true, length}}),
    all: async () => {
      try {
        oldest = await oldestOf(state.paths, signal);
      } catch (error) {
        if (!signal.aborted) showError(error);
        return;
      }
      if (oldest !== null) become({view: {live: true, length: Math.max(60_000, Math.ceil((source.now() - oldest) / 60_000) * 60_000)}});
    },
    pause: () => {
      const [from, to] = edges(state.view, source.now());
      become({view: {live: false, from: Math.round(from), to: Math.round(to) + AFTER}});
    },
    live: () => become({view: {live: true, length: lastLength}}),
    pan: (share) => become({view: panned(state.view, share, bounds())}),
    zoom: (factor, at) => become({view: zoomed(state.view, factor, bounds({at}))}),
    step: (count) => drawing.step(count),
    select: (one, other) => become({view: between(one, other)}),
    compare: (compare) => become({compare}),
    compareAt: (time) => {
      const offset = Math.round((edges(state.view, source.now())[0] - time) / 1000) * 1000;
      if (offset > 0) become({compare: offset});
      return offset > 0;
    },
    hide: ({name}, isHidden) => become({hidden: changed(state.hidden, name, isHidden)}),
    scale: ({name}, power) => {
      const scales = new Map(state.scales);
      if (power === null) scales.delete(name);
      else scales.set(name, power);
      become({scales});
    },
    sort: (sort) => become({sort: sort === state.sort ? null : sort}),
    remove: (row) => {
      if (drawing.countOf(row.path) <= 1) removePath(row.path ?? row.name);
      else become({dropped: changed(state.dropped, row.name, true)});
    },
  };
  const removePath = (path) => become({paths: state.paths.filter((one) => one !== path)});

  const adding = addCounters(parts.add, {
    paths: () => state.paths,
    add: (paths) => {
      // What is added again is shown again.
      const dropped = new Set([...state.dropped].filter((name) => !paths.some((path) => isLike(name, path))));
      become({paths: [...new Set([...state.paths, ...paths])], dropped});
    },
    remove: removePath,
  }, signal);
  const tools = timeTools(parts.time, act);
  const drawing = new Drawing(parts, act, signal);
  exportTools(parts.exports, exportsOf(drawing, parts.said, signal));
  listenToGestures(parts.around, drawing.plot, act);
  signal.addEventListener('abort', () => cancelAnimationFrame(frame));
  follow();

  return (newParams) => {
    state = stateOf(newParams);
    refused = new Map();
    follow();
  };
}

function changed(set, name, isIn) {
  const copy = new Set(set);
  if (isIn) copy.add(name);
  else copy.delete(name);
  return copy;
}
