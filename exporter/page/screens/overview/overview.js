// The screen "Overview": what is wrong, and how busy the machine is. The last 15 minutes are there when it opens.

import {followAnnotations} from '../../data/annotations.js';
import {poll} from '../../data/api.js';
import {machine, machineNow, watchMachine} from '../../data/machine.js';
import {inTasks} from '../../data/tasks.js';
import {element} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {ready} from '../../shell/ready.js';
import {asSentence} from '../../text/sentence.js';
import {adaptersPanel} from './adapters.js';
import {cpuPanel} from './cpu.js';
import {disksPanel} from './disks.js';
import {emptyPanel} from './empty.js';
import {ofAnnotations, ofCountersets, ofMachine, ofVolumes} from './findings.js';
import {followPlan} from './following.js';
import {leadersPanel} from './leaders.js';
import {ofLoad} from './load.js';
import {memoryPanel} from './memory.js';
import {problemsPanel} from './problems.js';
import {volumesOf} from './values.js';

const COUNTERSETS_SECONDS = 5;
const HOUR_MS = 3_600_000;
// The panels are shown when it is known what is wrong, because that moves them; but not later than after this time.
const PATIENCE_MS = 1500;

/** @param {Element} place @param {{signal: AbortSignal}} context */
export function open(place, {signal}) {
  const problems = problemsPanel(signal);
  const trouble = element('div', {hidden: true});
  const panels = [cpuPanel, memoryPanel, disksPanel, adaptersPanel, leadersPanel].map((make) => make(signal));
  const grid = element('div', {class: 'overview-grid waiting'}, panels.map(({node}) => node));
  const empty = emptyPanel();
  place.append(problems.node, trouble, empty, grid);

  let plan = null;
  let drawings = 0;
  let series = null;
  let marks = [];
  const drawSoon = oncePerFrame(draw, signal);
  const arrived = firstOf(['countersets', 'annotations', 'series'], () => {
    grid.classList.remove('waiting');
    ready('overview', signal);
  }, signal);

  const following = followPlan((changed) => {
    plan = changed;
    for (const panel of panels) panel.plan(plan);
    drawSoon();
    if (plan.paths.length === 0) arrived('series');
  }, {
    change: (changed) => {
      series = changed;
      trouble.hidden = true;
      arrived('series');
      drawSoon();
    },
    error: (error) => {
      arrived('series');
      // Without any answer at all, the page says so at its top.
      if (error.status === 0) return;
      trouble.hidden = false;
      showProblem(trouble, error);
      // Such as a path that is not there any more. What the exporter has no room for is tried again by the stream itself.
      if (error.status === 400) following.again();
    },
  }, signal);

  poll('countersets', {}, COUNTERSETS_SECONDS, (document, error) => {
    if (error) return showRefused(error);
    const {countersets} = document;
    problems.set('refused', []);
    problems.set('countersets', ofCountersets(countersets));
    problems.setCount(countersets.filter(({status}) => status === 'ok').length);
    empty.hidden = countersets.length > 0;
    grid.hidden = countersets.length === 0;
    arrived('countersets');
    following.take(countersets);
  }, signal);
  followAnnotations(() => machineNow() - HOUR_MS, (all) => {
    marks = all;
    problems.set('annotations', ofAnnotations(all));
    arrived('annotations');
    drawSoon();
  }, signal);
  const unwatch = watchMachine((known) => {
    problems.set('machine', ofMachine(known));
    drawSoon();
  });
  signal.addEventListener('abort', unwatch);

  function showRefused(error) {
    // Without any answer at all, the page says so at its top.
    if (error.status === 0) return;
    problems.set('refused', [{key: 'refused', level: 'bad', word: 'Refused', sentence: asSentence(error.detail), repair: []}]);
    if (!plan) grid.hidden = true;
    arrived('countersets');
    arrived('annotations');
    arrived('series');
  }

  function draw() {
    if (!plan || grid.hidden) return;
    const view = {series: series ?? NOTHING, sources: plan.sources, machine, end: endOf(series), marks};
    const drawing = ++drawings;
    inTasks(panels, (panel) => drawing === drawings && panel.show(view), signal);
    if (!series) return;
    const {volumes} = plan.sources;
    if (volumes.state === 'sampled') problems.set('volumes', ofVolumes(volumesOf(series, volumes)));
    problems.set('load', ofLoad(series, plan.sources));
  }
}

const NOTHING = {block: () => undefined};

/** The time of the newest sample, which is the right edge of all charts. */
function endOf(series) {
  const last = series?.blocks().map(({times}) => times.at(-1)).filter((time) => time !== undefined) ?? [];
  return last.length > 0 ? Math.max(...last) : machineNow();
}

/** Samples and answers that come together are one drawing; in a hidden tab there is none. */
function oncePerFrame(draw, signal) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      if (!signal.aborted) draw();
    });
  };
}

/** Calls `done` when all of `names` have come, or the patience is at its end. */
function firstOf(names, done, signal) {
  const missing = new Set(names);
  const end = () => {
    if (signal.aborted) return;
    clearTimeout(timer);
    missing.clear();
    done();
    done = () => {};
  };
  const timer = setTimeout(end, PATIENCE_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
  return (name) => {
    if (missing.delete(name) && missing.size === 0) end();
  };
}
