// The bar that says of which moment the table is: now, or one of the past, found by the processors' peaks.

import {chart} from '../../parts/chart.js';
import {element, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {ApiError, pause, whenVisible} from '../../data/api.js';
import {history, stepFor} from '../../data/history.js';
import {machine, machineNow} from '../../data/machine.js';
import {readable} from '../../text/numbers.js';
import {pathOf} from '../../text/paths.js';
import {clock, minute, momentOf, parseTime, watchZone, wholeTime} from '../../text/times.js';

const PERCENT = {kind: 'percent', factor: 1};
const LINE = [{label: 'CPU', colour: 'cpu', unit: PERCENT, fill: true}];
const UNKNOWN_REACH_MS = 2 * 3_600_000;
const LEAST_MS = 5 * 60_000;
const POINTS = 600;
const SECONDS = 20;
const MINUTE_MS = 60_000;
// Those that have all processors; one of them is enough.
const COUNTERSETS = ['Processor Information', 'Processor'];
// Times of the API have more decimals: the sample of a time is before the next millisecond.
const AFTER_MS = 1;

/**
 * @param {Element} place
 * @param {function(number|null)} choose gets the moment in milliseconds, or null for now
 * @param {AbortSignal} signal
 * @returns {{show: function(number|null), follow: function(string[])}} `show`: a moment that was chosen elsewhere
 */
export function momentBar(place, choose, signal) {
  const nodes = build(place);
  let at = null;
  let cpu = null;
  let under = null;
  let isFollowing = false;

  const oldest = () => {
    const known = machine?.recorder?.oldest;
    if (known) return parseTime(known);
    const now = machineNow();
    return cpu?.times.length > 0 ? Math.min(cpu.times[0], now - LEAST_MS) : now - UNKNOWN_REACH_MS;
  };
  const drawing = chart(nodes.chart, {
    name: 'CPU of the machine', most: 100,
    hover: (index) => (under = index === null || !cpu ? null : cpu.times[index]),
  }, signal);
  const show = () => {
    const now = machineNow();
    const span = [oldest(), now];
    setAttribute(nodes.slider, 'min', String(Math.floor(span[0] / 1000)));
    setAttribute(nodes.slider, 'max', String(Math.floor(now / 1000)));
    nodes.slider.value = String(Math.floor((at ?? now) / 1000));
    setAttribute(nodes.slider, 'aria-valuetext', at === null ? 'now' : clock(at));
    if (document.activeElement !== nodes.time) nodes.time.value = clock(at ?? now);
    setText(nodes.said, at === null ? 'Live' : 'The past');
    nodes.root.classList.toggle('past', at !== null);
    setAttribute(nodes.now, 'aria-pressed', String(at === null));
    nodes.later.disabled = at === null;
    const peak = peakOf(cpu);
    setText(nodes.peak, peak ? `Peak ${readable(peak.value, PERCENT)} at ${minute(peak.time)}` : 'No peak');
    nodes.peak.disabled = !peak;
    if (peak) setAttribute(nodes.peak, 'title', wholeTime(peak.time));
    if (!cpu) return;
    const summary = peak ? `at most ${readable(peak.value, PERCENT)}, at ${clock(peak.time)}` : '';
    const marks = at === null ? [] : [{time: at, text: clock(at)}];
    drawing.show([cpu.times.map((time) => time / 1000), cpu.values], LINE, span, marks, summary);
  };
  const go = (time) => {
    setAttribute(nodes.time, 'aria-invalid', null);
    setText(nodes.wrong, '');
    at = time === null || time >= machineNow() - 1000 ? null : Math.max(time, oldest());
    show();
    choose(at);
  };
  // In place of the chart; what was drawn stays.
  const lack = (why) => {
    if (!cpu) replaceChildren(nodes.chart, element('p', {class: 'chart-empty'}, why));
  };
  const write = () => {
    const time = momentOf(nodes.time.value, machineNow());
    if (time !== null) {
      go(time);
      return;
    }
    setAttribute(nodes.time, 'aria-invalid', 'true');
    setText(nodes.wrong, 'Write a time such as 14:05.');
  };

  nodes.slider.addEventListener('input', () => {
    const seconds = Number(nodes.slider.value);
    go(seconds >= Number(nodes.slider.max) - 1 ? null : seconds * 1000);
  });
  nodes.earlier.addEventListener('click', () => go((at ?? machineNow()) - MINUTE_MS));
  nodes.later.addEventListener('click', () => go(at + MINUTE_MS));
  nodes.now.addEventListener('click', () => go(null));
  nodes.peak.addEventListener('click', () => {
    const peak = peakOf(cpu);
    if (peak) go(peak.time + AFTER_MS);
  });
  nodes.time.addEventListener('change', write);
  nodes.chart.addEventListener('click', () => {
    if (under !== null) go(under + AFTER_MS);
  });
  show();
  const unwatch = watchZone(show);
  signal.addEventListener('abort', unwatch);
  return {
    show(time) {
      at = time;
      show();
    },
    /** Draws the processors. @param {string[]} names of the countersets that the machine samples */
    follow(names) {
      if (isFollowing) return;
      const counterset = COUNTERSETS.find((name) => names.includes(name));
      if (!counterset) {
        lack('The processors are not sampled. Add Processor to countersets to see when they were busy.');
        return;
      }
      isFollowing = true;
      followCpu(pathOf(counterset, '_Total', '% Processor Time'), oldest, {
        values(values) {
          cpu = values;
          show();
        },
        nothing: () => lack('Nothing is recorded of the processors so far.'),
        error: (error) => lack(error.detail),
      }, signal);
    },
  };
}

function build(place) {
  const nodes = {
    chart: element('div', {class: 'moment-chart'}),
    slider: element('input', {type: 'range', step: '1', id: 'moment-slider', 'aria-label': 'Moment'}),
    said: element('strong', {class: 'moment-said'}),
    time: element('input', {type: 'text', id: 'moment-time', size: '9', autocomplete: 'off', 'aria-describedby': 'moment-wrong'}),
    wrong: element('span', {id: 'moment-wrong', class: 'moment-wrong small', role: 'status'}),
    earlier: element('button', {type: 'button', title: 'A minute earlier'}, '−1 min'),
    later: element('button', {type: 'button', title: 'A minute later'}, '+1 min'),
    now: element('button', {type: 'button'}, 'Now'),
    peak: element('button', {type: 'button'}, 'No peak'),
  };
  const time = element('span', {class: 'moment-field'}, element('label', {for: 'moment-time'}, 'Time'), nodes.time);
  nodes.root = element('section', {class: 'panel process-moment', 'aria-label': 'Moment that is shown'},
    element('div', {class: 'tools'}, nodes.said, time, nodes.earlier, nodes.later, nodes.now, nodes.peak, nodes.wrong),
    nodes.chart, nodes.slider);
  place.append(nodes.root);
  return nodes;
}

async function followCpu(path, oldest, tell, signal) {
  while (!signal.aborted) {
    const since = oldest();
    try {
      const values = await cpuSince(path, since, signal);
      if (values) tell.values(values);
      else tell.nothing();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== 0) tell.error(error);
    }
    await pause(1000 * SECONDS, signal);
    await whenVisible(signal);
  }
}

async function cpuSince(path, since, signal) {
  const [counter] = await history([path], {since, step: stepFor(machineNow() - since, POINTS)}, signal);
  const instance = counter?.instances[0];
  if (!instance) return null;
  // The mean of a step may hide a short peak; the greatest value is what is looked for.
  const most = instance.max ?? instance.cooked;
  return {times: counter.times, values: most.map((value, index) => value ?? instance.cooked[index])};
}

/** The greatest value and its time, or null. */
export function peakOf(cpu) {
  let peak = null;
  cpu?.values.forEach((value, index) => {
    if (value !== null && (peak === null || value > peak.value)) peak = {value, time: cpu.times[index]};
  });
  return peak;
}
