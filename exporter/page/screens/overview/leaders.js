// The five processes with most processor time, memory and I/O: /api/v1/top, asked at the interval of the processes' samples.

import {ApiError, poll} from '../../data/api.js';
import {element, keep, setAttribute, setText} from '../../parts/dom.js';
import {turnOf} from '../../parts/turn.js';
import {showValue} from '../../parts/value.js';
import {addressOf} from '../../shell/address.js';
import {pathOf, processOf} from '../../text/paths.js';
import {unitOf} from '../../text/numbers.js';
import {asSentence} from '../../text/sentence.js';
import {panel} from './panel.js';

const COUNT = 5;
const TABLES = [
  {name: 'cpu', title: 'CPU', counters: ['% Processor Time']},
  {name: 'memory', title: 'Memory', counters: ['Working Set - Private', 'Working Set']},
  {name: 'io', title: 'I/O', counters: ['IO Data Bytes/sec']},
];

/** @param {AbortSignal} signal */
export function leadersPanel(signal) {
  const frame = panel('Top processes', 'leaders', {charted: false});
  frame.links.append(element('a', {href: addressOf('processes')}, 'All processes'));
  const tables = TABLES.map(leaderTable);
  frame.body.append(...tables.map(({node}) => node));
  let end = null;
  let asked = '';
  return {
    node: frame.node,
    plan({sources: {processes}}) {
      const isSampled = frame.isSampled(processes);
      const question = isSampled ? JSON.stringify([processes.name, processes.interval, [...processes.counters]]) : '';
      if (question === asked) return;
      asked = question;
      end?.abort();
      if (!isSampled) return;
      end = turnOf(signal);
      for (const table of tables) table.follow(processes, end.signal);
    },
    show({machine}) {
      for (const table of tables) table.ofProcessors(machine?.logical_processors ?? null);
    },
  };
}

function leaderTable({name, title, counters}) {
  const body = element('tbody');
  const valueHead = element('th', {scope: 'col', class: 'number'}, title);
  const said = element('p', {class: 'dim small'});
  const node = element('div', {class: 'leaders-table'},
    element('table', null,
      element('caption', {class: 'only-read'}, `The processes with most ${title === 'Memory' ? 'memory' : title}`),
      element('thead', null, element('tr', null,
        element('th', {scope: 'col'}, 'Process'), element('th', {scope: 'col', class: 'number'}, 'PID'), valueHead)),
      body),
    said);
  let processors = null;
  let leaders = [];
  let unit = null;

  const show = () => {
    const divisor = name === 'cpu' && processors ? processors : 1;
    keep(body, leaders, keyOf, leaderRow, (row, {cooked}) => row.update(cooked === null ? null : cooked / divisor, unit));
    if (name === 'cpu') {
      setText(valueHead, processors ? 'CPU' : 'CPU, of one core');
      setAttribute(valueHead, 'title', processors ? '% Processor Time divided by the number of processors' : '% Processor Time');
    }
  };
  return {
    node,
    ofProcessors(count) {
      if (count === processors) return;
      processors = count;
      show();
    },
    /** @param {import('./plan.js').Source} source @param {AbortSignal} signal */
    follow(source, signal) {
      const counter = counters.find((one) => source.counters.has(one));
      leaders = [];
      unit = unitOf(counter ?? counters[0]);
      show();
      if (!counter) {
        setText(said, `${counters.at(-1)} is not sampled.`);
        return;
      }
      setText(said, '');
      if (name !== 'cpu') setAttribute(valueHead, 'title', counter);
      const question = {counter: pathOf(source.name, '*', counter), n: COUNT};
      poll('top', question, Math.max(1, source.interval), (document, error) => {
        // Without any answer at all, the page says so at its top, and the last leaders stay.
        if (error instanceof ApiError && error.status === 0) return;
        setText(said, error ? asSentence(error.detail) : '');
        leaders = error ? [] : document.leaders;
        show();
      }, signal);
    },
  };
}

function keyOf(leader) {
  return `${leader.instance} ${leader.process_id ?? ''} ${leader.duplicate ?? ''}`;
}

function leaderRow(leader) {
  const {name, pid} = processOf(leader);
  const value = element('td', {class: 'number'});
  const link = element('a', {href: addressOf('processes', {pid}), class: 'clip', title: name}, name);
  const row = element('tr', null, element('th', {scope: 'row'}, link), element('td', {class: 'number dim'}, pid ?? '–'), value);
  row.update = (shown, unit) => showValue(value, shown, unit, null);
  return row;
}
