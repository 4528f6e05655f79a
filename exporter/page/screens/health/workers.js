// The processes that ask providers for counters, and the providers: what they use, and who was blamed for what.

import {element, setAttribute, setText} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {showRepair} from '../../parts/repair.js';
import {panel, showState} from './section.js';
import {sortableTable} from './table.js';
import {blame, providerRepair, restartsCount, restartsText, standingOf, treatment} from './words.js';
import {counted} from '../../text/sentence.js';

const BYTES = {kind: 'bytes', factor: 1};
const NUMBER = {kind: 'number', factor: 1};
const SECONDS = {kind: 'seconds', factor: 1};

/** @param {Object} screen of health.js */
export function make(place, screen) {
  const {body, say, fail} = panel(place, {title: 'Workers and providers', ofExporter: true});
  const none = element('p', {class: 'dim'});
  const workersPlace = element('div');
  const providersPlace = element('div');
  body.append(element('p', {class: 'dim'}, 'Providers run in processes of their own, so that one that crashes or hangs does no harm here.'),
    workersPlace, element('h3', null, 'Providers that run apart'), none, providersPlace);
  const workers = sortableTable(workersPlace, {caption: 'Workers', columns: WORKERS, keyOf: (one) => one.worker, sort: 'worker'});
  const providers = sortableTable(providersPlace, {
    caption: 'Providers that run apart', columns: PROVIDERS, keyOf: (one) => one.provider, sort: 'state', detail: DETAIL,
  });

  function render() {
    const {workers: all, providers: apart, error} = screen.workers;
    fail(error);
    if (!all) return;
    const restarts = all.reduce((sum, one) => sum + restartsCount(one.restarts), 0);
    say([counted(all.length, 'worker'), restarts > 0 ? counted(restarts, 'restart') : 'none was restarted'].join(' · '));
    setText(none, apart.length > 0 ? '' : 'None: no provider has done harm in the last hour, so they share a process.');
    none.hidden = apart.length > 0;
    providersPlace.hidden = apart.length === 0;
    workers.show(all);
    providers.show(apart);
  }
  return {read: render, render};
}

const noProcess = (one) => (one.running ? 'not looked at yet' : 'no process is running');

function numbers(name, title, of, unit, {hint, reason} = {}) {
  return {name, title, hint, number: true, order: of, show: (cell, one) => showValue(cell, of(one), unit, reason?.(one))};
}

const averageOf = (one) => (one.queries > 0 && Number.isFinite(one.query_seconds) ? one.query_seconds / one.queries : null);

const WORKERS = [
  {name: 'worker', title: 'Worker', order: (one) => one.worker, show: (cell, one) => setText(cell, one.worker)},
  {
    name: 'state', title: 'State', order: (one) => Number(one.running),
    show: (cell, one) => showState(cell, one.running ? {mark: 'good', text: 'running'} :
      {mark: '', text: 'not running', meaning: 'It is started when there is something to ask.'}),
  },
  {
    name: 'pid', title: 'Process', number: true, order: (one) => one.process_id,
    show(cell, one) {
      setText(cell, one.process_id === null ? '–' : String(one.process_id));
      setAttribute(cell, 'title', one.process_id === null ? 'No process is running.' : null);
      cell.classList.toggle('missing', one.process_id === null);
    },
  },
  numbers('memory', 'Memory', (one) => one.private_bytes, BYTES, {hint: 'Private bytes', reason: noProcess}),
  numbers('handles', 'Handles', (one) => one.handles, NUMBER, {reason: noProcess}),
  numbers('threads', 'Threads', (one) => one.threads, NUMBER, {reason: noProcess}),
  numbers('cpu', 'CPU time', (one) => one.cpu_seconds, SECONDS, {hint: 'Of all its processes since the start'}),
  numbers('queries', 'Queries', (one) => one.queries, NUMBER, {hint: 'Since the start'}),
  numbers('cost', 'Average query', averageOf, SECONDS, {reason: () => 'there was no query'}),
  {
    name: 'restarts', title: 'Restarts', wide: true, order: (one) => restartsCount(one.restarts),
    show(cell, one) {
      setText(cell, restartsText(one.restarts) || 'none');
      cell.classList.toggle('missing', restartsCount(one.restarts) === 0);
    },
  },
];

const RANKS = ['bad', 'warn', '', 'good'];

const PROVIDERS = [
  {name: 'provider', title: 'Provider', order: (one) => one.provider, show: (cell, one) => setText(cell, one.provider)},
  {
    name: 'state', title: 'State', hint: 'The worst first', order: (one) => RANKS.indexOf(standingOf(one).mark),
    show: (cell, one) => showState(cell, standingOf(one)),
  },
  numbers('harms', 'Harm done', (one) => one.harms, NUMBER, {hint: 'How often it damaged its process'}),
  numbers('failures', 'Failures', (one) => one.failures, NUMBER, {hint: 'Queries without data, also those in quarantine'}),
  numbers('queries', 'Queries', (one) => one.queries, NUMBER),
  numbers('cost', 'Last query', (one) => one.query_seconds, SECONDS, {reason: () => 'there was no query'}),
  numbers('bytes', 'Reply', (one) => one.reply_bytes, BYTES, {hint: 'Size of its last reply', reason: () => 'it has not answered'}),
];

const DETAIL = {
  of: (one) => blame(one).length > 0,
  make: () => element('div', {class: 'health-why'}, element('p', {class: 'sentence'}), element('div')),
  update(node, one) {
    setText(node.firstElementChild, [...blame(one), ...treatment(one)].join(' '));
    showRepair(node.lastElementChild, providerRepair(one.provider));
  },
};
