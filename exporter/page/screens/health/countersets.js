// Every counterset: how it is read, how often, how old its values are, what it costs, and why it fails.

import {shown} from '../../data/api.js';
import {element, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {duration, plain} from '../../text/numbers.js';
import {clock, parseTime, wholeTime} from '../../text/times.js';
import {showRepair} from '../../parts/repair.js';
import {choice, panel, searchField, showState} from './section.js';
import {sortableTable} from './table.js';
import {matches} from './words.js';
import {asSentence, counted} from '../../text/sentence.js';
import {stateOf, STATES} from '../../text/states.js';

const SECONDS = {kind: 'seconds', factor: 1};
const NUMBER = {kind: 'number', factor: 1};
const PERCENT = {kind: 'percent', factor: 100};

/** @param {Object} screen of health.js */
export function make(place, screen) {
  const {tools, body, say, fail} = panel(place, {title: 'Countersets'});
  const search = searchField('Find a counterset', (text) => note({q: text}));
  const states = [['', 'all'], ...Object.entries(STATES).map(([name, {text}]) => [name, text])];
  const state = choice('State', states, (name) => note({state: name}));
  tools.append(search, state.node);
  const empty = element('p', {class: 'dim'});
  let table = null;
  let shownColumns = '';
  let sort = 'state';

  function note(changed) {
    screen.note(changed);
    render();
  }

  function render() {
    const {countersets, error} = screen.countersets;
    fail(error);
    if (!countersets) return;
    const wanted = countersets.filter((one) => (!state.select.value || one.status === state.select.value) &&
      matches([one.name, one.object, one.path, one.reason, one.sentence], search.value));
    const series = countersets.reduce((sum, one) => sum + (one.series ?? 0), 0);
    say([wanted.length < countersets.length ? `${wanted.length} of ${counted(countersets.length, 'counterset')}` :
      counted(countersets.length, 'counterset'), `${plain(series)} series on /metrics`].join(' · '));
    makeTable(countersets);
    setText(empty, emptyText(countersets, wanted));
    empty.hidden = wanted.length > 0;
    table.show(wanted);
  }

  // What the exporter knows of a counterset's lateness depends on its version; a column for what it doesn't say would be empty.
  function makeTable(countersets) {
    const columns = COLUMNS.filter((column) => !column.field || countersets.some((one) => one[column.field] !== undefined));
    const key = columns.map((column) => column.name).join();
    if (table && key === shownColumns) return;
    shownColumns = key;
    replaceChildren(body);
    table = sortableTable(body, {
      caption: 'Countersets', columns, keyOf: (one) => one.name, sort,
      sorted: (chosen) => screen.note({sort: (sort = chosen)}),
      detail: detailOf(screen),
    });
    body.append(empty);
  }

  return {
    read(params) {
      search.value = params.get('q') ?? '';
      state.select.value = params.get('state') ?? '';
      sort = params.get('sort') ?? 'state';
      table?.sortBy(sort);
      render();
    },
    render,
  };
}

function emptyText(countersets, wanted) {
  if (wanted.length > 0) return '';
  if (countersets.length > 0) return 'No counterset is like that.';
  return 'No counterset is sampled. Add some to countersets or collect in the configuration, such as countersets: [Memory].';
}

const value = (unit, of, reason) => (cell, one) => showValue(cell, of(one), unit, reason?.(one));
const notRead = (one) => (one.status === 'ok' ? null : 'it is not read');

function numbers(name, title, field, hint, {unit = NUMBER, optional = false} = {}) {
  const of = (one) => one[field];
  return {name, title, hint, number: true, field: optional ? field : undefined, show: value(unit, of, notRead), order: of};
}

const COLUMNS = [
  {
    name: 'name', title: 'Counterset', wide: true, order: (one) => one.name,
    show(cell, one) {
      setText(cell, one.name);
      setAttribute(cell, 'title', one.object && one.object !== one.name ? `${one.name}: ${one.object}` : one.name);
    },
  },
  {
    name: 'state', title: 'State', hint: 'The worst first', order: (one) => stateOf(one.status).rank,
    show: (cell, one) => showState(cell, stateOf(one.status)),
  },
  {
    name: 'path', title: 'Path', hint: 'How it is read: through the registry, PerfLib or the event log', order: (one) => one.path,
    show(cell, one) {
      setText(cell, one.path ?? '–');
      cell.classList.toggle('missing', !one.path);
      setAttribute(cell, 'title', pathTitle(one));
    },
  },
  numbers('interval', 'Interval', 'interval_seconds', 'How often it is read', {unit: SECONDS}),
  {
    name: 'age', title: 'Age', hint: 'How old its values are', number: true, order: (one) => one.age_seconds,
    show(cell, one) {
      showValue(cell, one.age_seconds, SECONDS, notRead(one));
      // Whole seconds are enough, and calmer.
      if (Number.isFinite(one.age_seconds)) setText(cell, duration(Math.round(one.age_seconds)));
    },
  },
  numbers('cost', 'Last read', 'duration_seconds', 'How long the last attempt took; countersets that are read together share it',
    {unit: SECONDS}),
  {
    name: 'share', title: 'Of interval', hint: 'The part of its interval that the last attempt took', number: true, order: shareOf,
    show(cell, one) {
      showValue(cell, shareOf(one), PERCENT, null);
      cell.classList.toggle('loud', shareOf(one) > 0.5);
    },
  },
  numbers('late', 'Late', 'late_seconds', 'How much later than it was due the last sample was taken', {unit: SECONDS, optional: true}),
  numbers('missed', 'Missed', 'missed', 'Samples left out because the one before was still being taken', {optional: true}),
  numbers('attempts', 'Attempts', 'attempts', 'Since the start', {optional: true}),
  numbers('failures', 'Failures', 'failures', 'Attempts that failed, since the start', {optional: true}),
  numbers('counters', 'Counters', 'counters', 'Counters of each instance'),
  {
    name: 'instances', title: 'Instances', number: true, order: (one) => one.instances,
    show: value(NUMBER, (one) => one.instances, (one) => (one.object ? 'it has no instances' : notRead(one))),
  },
  numbers('series', 'Series', 'series', 'Series on /metrics'),
];

function shareOf(one) {
  return one.interval_seconds > 0 && Number.isFinite(one.duration_seconds) ? one.duration_seconds / one.interval_seconds : null;
}

function pathTitle({path, object_index: index, guid, machine}) {
  const parts = [];
  if (!path) parts.push('It is not read');
  if (index !== null && index !== undefined) parts.push(`index ${index} in the registry`);
  if (guid) parts.push(guid);
  if (machine) parts.push(machine);
  return parts.join(', ') || null;
}

// Below a counterset that has no values: the doctor's sentence, what the log says, and what helps. What helps is open for the
// first few; with many of one cause, their sentences would be lost between the same steps.
const OPEN_AT_MOST = 3;

function detailOf(screen) {
  return {
    of: (one) => one.sentence || one.repair?.length > 0,
    make: () => element('div', {class: 'health-why'}, element('p', {class: 'sentence'}), element('p', {class: 'dim small'}),
      element('details', null, element('summary', null, 'What to do'), element('div'))),
    update(node, one) {
      const [text, log, steps] = node.children;
      setText(text, asSentence(one.sentence ?? one.reason ?? ''));
      // The log is about the exporter's own machine.
      const said = shown.target === null ? screen.messages.lastAbout(one.name) : null;
      setText(log, said ? `The log at ${clock(parseTime(said.time))}: ${asSentence(said.text)}` : '');
      setAttribute(log, 'title', said ? wholeTime(parseTime(said.time)) : null);
      const repair = one.repair ?? [];
      steps.hidden = repair.length === 0;
      if (node.knownAs !== one.reason) {
        node.knownAs = one.reason;
        const before = screen.countersets.countersets.filter((other) => other.repair?.length > 0).indexOf(one);
        steps.open = before >= 0 && before < OPEN_AT_MOST;
      }
      setText(steps.firstElementChild, `What to do (${plain(repair.length)} ${repair.length === 1 ? 'step' : 'steps'})`);
      showRepair(steps.lastElementChild, repair);
    },
  };
}
