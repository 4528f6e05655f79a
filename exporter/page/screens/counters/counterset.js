// An object that is sampled: its counters with their values now and over the last 15 minutes, of one instance.

import {poll} from '../../data/api.js';
import {lastValue, LiveSeries} from '../../data/series.js';
import {element, keep, replaceChildren, setText} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {turnOf} from '../../parts/turn.js';
import {addressOf} from '../../shell/address.js';
import {instanceText, pathOf} from '../../text/paths.js';
import {clock} from '../../text/times.js';
import {openChoice} from './choice.js';
import {openExplanation} from './explain.js';
import {amounts, openHead} from './head.js';
import {makeRow, SPARK_SECONDS} from './row.js';

const DOCUMENT_SECONDS = 30;

/**
 * @param {Element} place @param {string} name @param {{basket, note, ready}} screen @param {AbortSignal} signal
 * @returns {function({instance, counter}, Object|null)} shows what the address says, and the object's state
 */
export function openCounterset(place, name, screen, signal) {
  const head = openHead(name);
  const problem = element('div');
  const amount = element('h3', {id: 'counters-amount'}, 'Counters');
  const choice = openChoice(choose);
  const gone = element('p', {class: 'dim small', role: 'status'});
  const body = element('tbody');
  const table = element('table', {class: 'counters-table', 'aria-labelledby': 'counters-amount', hidden: true}, headOfTable(), body);
  replaceChildren(place, element('section', {class: 'panel', 'aria-labelledby': 'counters-name'},
    element('p', {class: 'counters-back'}, element('a', {href: addressOf('counters')}, 'All objects')),
    head.node, element('div', {class: 'tools counters-tools'}, amount, choice.node, gone), problem,
    element('div', {class: 'scroll-x'}, table)));

  let state = {instance: null, counter: null};
  let entry = null;
  let document = null;
  let live = null;        // {instance, turn, series}
  let explained = null;   // {counter, instance, turn, node, read}
  let shownCounter = null;
  const rows = new Map();
  signal.addEventListener('abort', screen.basket.watch(() => rows.forEach((row) => row.showChosen())));

  poll(`countersets/${encodeURIComponent(name)}`, {}, DOCUMENT_SECONDS, (read, error) => {
    if (read) document = read;
    if (document) replaceChildren(problem);
    else showProblem(problem, error);
    show();
    screen.ready();
  }, signal);

  function instance() {
    if (!document?.multi_instance) return null;
    const names = document.instance_names;
    return state.instance ?? (names.includes('_Total') ? '_Total' : names[0] ?? null);
  }

  function show() {
    if (!document && !entry) return;
    head.show(entry ?? document);
    if (!document) return;
    head.showHelp(document.help);
    const isMultiple = document.multi_instance === true;
    const count = isMultiple ? document.instance_names.length : null;
    setText(amount, amounts(document.counters.length, count));
    amount.hidden = document.counters.length === 0;
    choice.show(isMultiple ? document.instance_names : null, instance());
    table.hidden = document.counters.length === 0;
    showRows();
    follow();
  }

  function showRows() {
    explain();
    const items = document.counters.flatMap((counter) =>
      (counter.name === explained?.counter.name ? [{counter}, {explanation: explained}] : [{counter}]));
    keep(body, items, keyOf, (item) => (item.explanation ? item.explanation.node : newRow(item.counter).node), () => {});
    for (const counter of document.counters) {
      const path = pathOf(name, instance(), counter.name);
      rows.get(counter.name).showPath(path, counter.name === state.counter);
    }
    showValues();
    if (shownCounter !== state.counter) {
      shownCounter = state.counter;
      intoView(explained?.node.previousElementSibling);
    }
  }

  function newRow(counter) {
    const row = makeRow(counter, {basket: screen.basket, toggle}, signal);
    rows.set(counter.name, row);
    return row;
  }

  function choose(chosen) {
    screen.note({counterset: name, instance: chosen});
    update({...state, instance: chosen}, entry);
  }

  function toggle(counter) {
    const next = state.counter === counter ? null : counter;
    shownCounter = next;
    screen.note({counterset: name, counter: next});
    update({...state, counter: next}, entry);
  }

  // One counter at a time is explained, since it asks for all instances again and again.
  function explain() {
    const counter = document.counters.find((one) => one.name === state.counter) ?? null;
    if (explained && explained.counter.name === counter?.name && explained.instance === instance()) return;
    explained?.turn.abort();
    explained = null;
    if (!counter) return;
    const turn = turnOf(signal);
    const cell = element('td', {colspan: 5});
    explained = {counter, instance: instance(), turn, node: element('tr', {class: 'counters-explanation'}, cell)};
    explained.read = openExplanation(cell, {counterset: name, counter, instance: explained.instance}, {choose}, turn.signal);
  }

  function follow() {
    const chosen = instance();
    if (live?.instance === chosen || document.counters.length === 0) return;
    if (document.multi_instance && chosen === null) return;
    live?.turn.abort();
    const turn = turnOf(signal);
    const started = {instance: chosen, turn, series: null, error: null};
    live = started;
    started.series = new LiveSeries([pathOf(name, chosen, '*')], SPARK_SECONDS, {
      change: () => {
        if (live !== started) return;
        started.error = null;
        showValues();
        explained?.read();
      },
      error: (error) => {
        started.error = error;
        if (live === started) showValues();
      },
    }, turn.signal);
  }

  function showValues() {
    const isCurrent = (entry ?? document).status === 'ok';
    let isThere = false;
    for (const counter of document.counters) {
      const block = live?.series?.block(name, counter.name);
      const line = block && lineOf(block, live.instance);
      isThere ||= line !== undefined && lastValue(line) !== undefined;
      rows.get(counter.name)?.showValue(block?.times ?? [], line ?? null, isCurrent);
    }
    const last = live?.series?.blocks()[0]?.times.at(-1);
    if (live?.error) setText(gone, live.error.detail);
    else setText(gone, isThere || last === undefined || !isCurrent ? '' : `${instance()} is not there at ${clock(last)}.`);
  }

  function update(changed, changedEntry) {
    state = {instance: changed.instance, counter: changed.counter};
    entry = changedEntry;
    show();
  }
  return update;
}

// What was chosen elsewhere may be far below.
function intoView(row) {
  const top = row?.getBoundingClientRect().top ?? 0;
  if (row && (top < 0 || top > 0.6 * window.innerHeight)) row.scrollIntoView({block: 'start'});
}

function keyOf({counter, explanation}) {
  return explanation ? `explanation ${explanation.counter.name} ${explanation.instance}` : counter.name;
}

function headOfTable() {
  const head = (text, attributes) => element('th', {scope: 'col', ...attributes}, text);
  return element('thead', null, element('tr', null,
    head(element('span', {class: 'only-read'}, 'For a chart'), {class: 'counters-choose'}), head('Counter'),
    head('Now', {class: 'number counters-now'}), head('Last 15 minutes', {class: 'counters-spark'}),
    head(element('span', {class: 'only-read'}, 'Chart'), {class: 'counters-link'})));
}

// Of processes that had the name one after the other, the one that is there.
function lineOf(block, instance) {
  let found;
  for (const line of block.lines.values()) {
    if (instance !== null && instanceText(line.identity) !== instance) continue;
    if (!found || lastValue(line) !== undefined) found = line;
  }
  return found;
}
