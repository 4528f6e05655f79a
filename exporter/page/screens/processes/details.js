// One process: what it has done in the minutes around the moment that is shown, and what is known of it.

import {parentText, shareOf} from './columns.js';
import {COUNTERS, SLOT, UNITS} from './counters.js';
import {ProcessPast} from './past.js';
import {aligned} from '../../parts/aligned.js';
import {chart} from '../../parts/chart.js';
import {copyButton} from '../../parts/copy.js';
import {element, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {addressOf} from '../../shell/address.js';
import {duration, readable} from '../../text/numbers.js';
import {instanceText, pathOf} from '../../text/paths.js';
import {chosenZone, clock, wholeTime} from '../../text/times.js';

const CHARTS = [
  {title: 'CPU', unit: {kind: 'percent', factor: 1}, lines: [['cpu', 'CPU', 'cpu']]},
  {title: 'Memory', unit: UNITS[SLOT.memory], lines: [['memory', 'private', 'memory'], ['working', 'working set', 'pen-10']]},
  {title: 'I/O', unit: UNITS[SLOT.read], lines: [['read', 'read', 'disk'], ['write', 'written', 'network']]},
];
const FACTS = ['threads', 'handles', 'commit', 'faults', 'other', 'priority'];
const FACT_NAMES = {threads: 'Threads', handles: 'Handles', commit: 'Commit', faults: 'Page faults', other: 'Other I/O',
  priority: 'Base priority'};

/**
 * @param {Element} place hidden while no process is shown
 * @param {{close: function(), choose: function(import('./rows.js').Row)}} tell `choose` when another process is asked for
 * @param {AbortSignal} signal
 * @returns {{show: function(Object|null), add: function()}}
 */
export function processDetails(place, tell, signal) {
  const nodes = build(place, tell);
  const drawings = CHARTS.map((one, index) => chart(nodes.charts[index].place, {name: one.title, group: 'process'}, signal));
  let now = null;
  let past = null;

  const draw = () => {
    if (!now || !past) return;
    const {span, at, processors} = now;
    CHARTS.forEach((one, index) => {
      const lines = one.lines.map(([name]) => past.line(SLOT[name]));
      const data = aligned(lines, (value) => (one.title === 'CPU' ? value / (processors ?? 1) : value));
      const looks = one.lines.map(([, label, colour]) => ({label, colour, unit: one.unit, fill: one.lines.length === 1}));
      const last = one.lines.map(([name, label]) => `${label} ${currentText(now, name)}`).join(', ');
      drawings[index].show(data, looks, span, at === null ? [] : [{time: at, text: clock(at)}], last);
    });
  };
  nodes.follow = draw;

  return {
    /**
     * @param {{row: import('./rows.js').Row|null, pid: number, counterset: string, at: number|null, span: [number, number],
     *     processors: number|null, brothers: number}|null} what `row` is null for an id that no process has; `brothers` is how many
     *     processes have its name
     */
    show(what) {
      place.hidden = !what;
      const isOther = what?.row?.key !== now?.row?.key || what?.at !== now?.at;
      now = what;
      if (!what || !what.row) {
        past?.end();
        past = null;
        if (what) showNone(nodes, what);
        return;
      }
      showFacts(nodes, what, tell);
      if (isOther || !past) {
        past?.end();
        setText(nodes.problem, '');
        past = new ProcessPast(what, {change: draw, error: (error) => setText(nodes.problem, error.detail)}, signal);
      } else if (what.at === null) {
        past.add(what.row, what.time, what.span[0]);
      }
      draw();
    },
  };
}

function build(place, tell) {
  const title = element('h2', {class: 'clip', tabindex: '-1'});
  const charts = CHARTS.map((one) => {
    const value = element('span', {class: 'process-now'});
    const legend = one.lines.length < 2 ? null : element('span', {class: 'dim small'}, one.lines.map(([, label, colour]) =>
      element('span', {class: 'process-line'}, element('span', {class: `process-key ${colour}`}), label)));
    const drawn = element('div', {class: 'process-chart'});
    return {value, place: drawn, node: element('section', null,
      element('div', {class: 'process-head'}, element('h3', null, one.title), legend, value), drawn)};
  });
  const facts = element('dl', {class: 'process-facts'});
  const links = element('p', {class: 'tools'});
  const problem = element('p', {class: 'missing small', role: 'status'});
  const close = element('button', {type: 'button', class: 'quiet', title: 'Escape', onclick: tell.close}, 'Close');
  replaceChildren(place, element('div', {class: 'panel-head'}, title, close), problem,
    charts.map((one) => one.node), facts, links);
  return {title, charts, facts, links, problem, place};
}

function showNone(nodes, {pid}) {
  showTitle(nodes.title, {name: 'Process', pid});
  setText(nodes.problem, 'There is no such process at this moment.');
  nodes.place.classList.add('none');
}

// A name that is written from right to left leaves the id where it is.
function showTitle(node, {name, pid}) {
  if (!node.firstChild) replaceChildren(node, element('bdi'), element('span'));
  setText(node.firstChild, name);
  setText(node.lastChild, ` (${pid})`);
  setAttribute(node, 'title', name);
}

function currentText({row, processors}, name) {
  const value = name === 'cpu' ? shareOf(row, 'cpu', processors) : row.values[SLOT[name]];
  return Number.isFinite(value) ? readable(value, UNITS[SLOT[name]]) : '–';
}

function showFacts(nodes, what, tell) {
  const {row, counterset} = what;
  nodes.place.classList.remove('none');
  showTitle(nodes.title, row);
  CHARTS.forEach((one, index) => setText(nodes.charts[index].value, one.lines.map(([name]) => currentText(what, name)).join(' · ')));
  const path = pathOf(counterset, instanceText(row.identity), COUNTERS[SLOT.cpu]);
  // Made anew only for another process: a button that is pressed, or a text that is selected, must stay.
  const state = JSON.stringify([row.key, row.endedAt, row.startedAt, row.owner, row.command, row.parent?.key, path, chosenZone()]);
  if (nodes.state !== state) {
    nodes.state = state;
    nodes.values = FACTS.map((name) => [name, element('dd')]);
    const pair = (name, value) => (value ? [element('dt', null, name), value] : null);
    replaceChildren(nodes.facts,
      pair('Ended', row.endedAt === null ? null : element('dd', {title: wholeTime(row.endedAt)}, `after ${clock(row.endedAt)}`)),
      pair('Started', Number.isFinite(row.start) ? element('dd', null, wholeTime(row.start)) : null),
      pair('Runs for', Number.isFinite(row.start) ? (nodes.age = element('dd')) : null),
      pair('Parent', parentOf(row, tell)),
      pair('Owner', row.owner ? element('dd', null, row.owner) : null),
      pair('Command line', row.command ? element('dd', {class: 'command'}, row.command) : null),
      nodes.values.map(([name, value]) => pair(FACT_NAMES[name], value)));
    replaceChildren(nodes.links,
      element('a', {class: 'button', href: chartAddress(counterset, row)}, 'Open in Chart'),
      copyButton('Copy perfmon path', path));
  }
  for (const [name, value] of nodes.values) setText(value, currentText(what, name));
  const until = row.endedAt ?? what.time;
  if (nodes.age && Number.isFinite(row.start)) setText(nodes.age, duration(Math.max(0, Math.round((until - row.start) / 1000))));
}

function parentOf(row, tell) {
  const text = parentText(row);
  if (!text) return null;
  if (!row.parent) return element('dd', null, text);
  const choose = () => tell.choose(row.parent);
  return element('dd', null, element('button', {type: 'button', class: 'quiet process-link', onclick: choose}, element('bdi', null, text)));
}

function chartAddress(counterset, row) {
  const instance = instanceText(row.identity);
  return addressOf('chart', {path: ['cpu', 'memory', 'read', 'write'].map((name) => pathOf(counterset, instance, COUNTERS[SLOT[name]]))});
}
