// The table of machines. The order is made when all have answered, or by a click on a head; while the pointer or the focus is in
// the table, it stays.

import {copyButton} from '../../parts/copy.js';
import {element, keep, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {addressOf} from '../../shell/address.js';
import {duration, plain, unitOf} from '../../text/numbers.js';
import {placeOf, wordOf} from './state.js';

const CPU = unitOf('% Processor Time');
const MEMORY = unitOf('Available Bytes');
const COLUMNS = [
  {name: 'machine', title: 'Machine', of: ({machine}) => machine.name},
  {name: 'state', title: 'State', of: ({reading}) => placeOf(reading?.state ?? 'asked')},
  {name: 'read', title: 'Last read', isNumber: true, of: ({reading}) => reading?.age ?? null},
  {name: 'countersets', title: 'Countersets', isNumber: true, down: true, of: ({reading}) => reading?.bad ?? null},
  {name: 'cpu', title: 'CPU', isNumber: true, down: true, of: ({reading}) => reading?.cpu?.value ?? null},
  {name: 'memory', title: 'Memory available', isNumber: true, of: ({reading}) => reading?.memory?.value ?? null},
];

/**
 * @param {Element} place
 * @param {{q: string, sort: string}} from the address; `sort` is the name of a column, with - before it if downwards
 * @param {function(Object)} note keeps both in the address
 */
export function openTable(place, from, note) {
  let text = from.q;
  let sort = sortOf(from.sort);
  let rows = [];
  let order = new Map();
  const heads = COLUMNS.map((column) => element('th', {scope: 'col', class: column.isNumber ? 'number' : null},
    element('button', {type: 'button', class: 'quiet', onclick: () => sortBy(column)}, column.title)));
  const own = element('tbody');
  const others = element('tbody');
  const none = element('p', {class: 'dim', hidden: true}, 'No target matches.');
  const table = element('table', {class: 'machines-table', 'aria-labelledby': 'machines-title'},
    element('thead', null, element('tr', null, heads)), own, others);
  replaceChildren(place, table, none);

  function sortBy(column) {
    const down = sort.column === column ? !sort.down : Boolean(column.down);
    sort = {column, down};
    noteAll();
    arrange();
  }

  function noteAll() {
    const isDefault = sort.column.name === 'state' && !sort.down;
    note({q: text, sort: isDefault ? '' : `${sort.down ? '-' : ''}${sort.column.name}`});
  }

  function arrange() {
    const sorted = rows.filter(({machine}) => machine.target !== null).sort(compare);
    order = new Map(sorted.map(({machine}, index) => [machine.key, index]));
    heads.forEach((head, index) => {
      const isSorted = COLUMNS[index] === sort.column;
      setAttribute(head, 'aria-sort', isSorted ? (sort.down ? 'descending' : 'ascending') : null);
    });
    draw();
  }

  // What has no value comes last both ways.
  function compare(one, other) {
    const [left, right] = [sort.column.of(one), sort.column.of(other)];
    const byName = () => one.machine.key.localeCompare(other.machine.key, undefined, {numeric: true});
    if (left === null || right === null) return (left === null) - (right === null) || byName();
    const difference = typeof left === 'string' ? byName() : left - right;
    return (sort.down ? -difference : difference) || byName();
  }

  function draw() {
    const lower = text.trim().toLowerCase();
    const matches = ({machine}) => !lower || textOf(machine).includes(lower);
    const targets = rows.filter((row) => row.machine.target !== null && matches(row));
    const place = ({machine}) => order.get(machine.key) ?? order.size;
    keep(own, rows.filter(({machine}) => machine.target === null), keyOf, make, update);
    keep(others, targets.sort((one, other) => place(one) - place(other)), keyOf, make, update);
    none.hidden = !lower || targets.length > 0;
  }

  return {
    show(machines, readings) {
      rows = machines.map((machine) => ({machine, reading: readings.get(machine.key) ?? null}));
      draw();
    },
    filter(changed) {
      if (changed === text) return;
      text = changed;
      noteAll();
      draw();
    },
    /** Makes the order anew, unless somebody reads. */
    order() {
      if (order.size === 0 || !(table.matches(':hover') || table.contains(document.activeElement))) arrange();
    },
  };
}

function sortOf(text) {
  const down = text.startsWith('-');
  const column = COLUMNS.find(({name}) => name === text.slice(down ? 1 : 0));
  return column ? {column, down} : {column: COLUMNS[1], down: false};
}

const keyOf = ({machine}) => machine.key;

function textOf({name, module, labels}) {
  return [name, module ?? '', ...Object.entries(labels).map((pair) => pair.join('='))].join(' ').toLowerCase();
}

function make({machine: {target}}) {
  const number = ({title}) => element('td', {class: 'number', 'data-head': title});
  return element('tr', null,
    element('th', {scope: 'row'}, element('a'), element('span', {class: 'dim small'})),
    element('td', null, element('span', {class: 'state'}), element('p', {class: 'small dim machines-why'}),
      target === null ? null : diagnosisOf(target)),
    COLUMNS.slice(2).map(number));
}

// It finds what is missing, which the running exporter doesn't know of a target.
function diagnosisOf(target) {
  const command = `winperf_exporter doctor --target ${target}`;
  return element('p', {class: 'small machines-command', hidden: true}, element('code', null, command), copyButton('Copy', command));
}

function update(row, {machine, reading}) {
  const [name, state, read, countersets, cpu, memory] = row.children;
  setText(name.firstElementChild, machine.name);
  setAttribute(name.firstElementChild, 'href', addressOf('overview', {target: machine.target ?? '', module: machine.module}));
  setText(name.lastElementChild, remarkOf(machine));
  const [mark, word] = wordOf(reading?.state ?? 'asked');
  setAttribute(state.firstElementChild, 'class', `state ${mark}`.trim());
  setText(state.firstElementChild, word);
  setText(state.children[1], reading?.why ?? '');
  const command = state.children[2];
  if (command) command.hidden = !['bad', 'warn'].includes(mark);
  setText(read, ageOf(reading));
  setText(countersets, countersetsOf(reading));
  countersets.classList.toggle('missing', !reading || reading.ok === 0);
  showNumber(cpu, reading?.cpu, CPU, 'Processor');
  showNumber(memory, reading?.memory, MEMORY, 'Memory');
}

function remarkOf({target, module, labels}) {
  const parts = target === null ? ['the machine of the exporter'] : [];
  if (module) parts.push(`module ${module}`);
  parts.push(...Object.entries(labels).map(([label, value]) => `${label}=${value}`));
  return parts.join(' · ');
}

function ageOf(reading) {
  if (!reading || reading.state === 'asked') return '';
  if (reading.age === null) return 'never';
  return reading.age < 1 ? 'just now' : `${duration(Math.round(reading.age))} ago`;
}

function countersetsOf(reading) {
  if (!reading || reading.ok + reading.bad === 0) return '–';
  return reading.bad === 0 ? `${plain(reading.ok)} ok` : `${plain(reading.ok)} ok, ${plain(reading.bad)} not`;
}

function showNumber(cell, number, unit, counterset) {
  showValue(cell, number?.value, unit, number?.reason);
  if (!number) setAttribute(cell, 'title', `No value of the counterset ${counterset} now.`);
}
