// The columns of the table of processes.

import {SLOT, UNITS} from './counters.js';
import {element, setAttribute, setText} from '../../parts/dom.js';
import {clock, dayAndClock, wholeTime} from '../../text/times.js';

const DAY_MS = 86_400_000;

/** What is shown until somebody chooses. */
export const FIRST = {
  wide: ['pid', 'cpu', 'memory', 'commit', 'read', 'write', 'started', 'owner', 'command'],
  narrow: ['cpu', 'memory'],
  fixed: 'name',
};

/**
 * @param {{processors: number|null, hasOwners: boolean, isTree: boolean, now: number}} known live: columns read it when they show
 * @returns {import('../../parts/table.js').Column[]}
 */
export function processColumns(known) {
  const columns = [
    {name: 'name', title: 'Name', value: (row) => row.name, show: (cell, row) => showName(cell, row, known.isTree), width: 190,
      grows: true},
    {name: 'pid', title: 'PID', about: 'id of the process', value: (row) => row.pid, show: showId, unit: {kind: 'number', factor: 1},
      width: 76},
    share('cpu', 'CPU', known, '', 74),
    share('user', 'User', known, 'in user mode, ', 74),
    share('kernel', 'Kernel', known, 'in kernel mode, ', 74),
    counter('memory', 'Memory', 'in use by it alone (private working set), as in Task Manager', 84),
    counter('working', 'Working set', 'in physical memory, with what it shares', 96),
    counter('commit', 'Commit', 'reserved for it in memory and page file (private bytes)', 84),
    counter('read', 'Read', 'bytes a second: files, network and devices', 92),
    counter('write', 'Write', 'bytes a second: files, network and devices', 92),
    counter('other', 'Other I/O', 'bytes a second that are neither read nor written', 92),
    counter('faults', 'Page faults', 'a second, most of them without the disk', 92),
    counter('threads', 'Threads', undefined, 80),
    counter('handles', 'Handles', undefined, 80),
    counter('priority', 'Priority', 'base priority: 4 low, 8 normal, 13 high, 24 real time', 74),
    {name: 'parent', title: 'Parent', about: 'the process that started it', value: parentText, width: 150},
    {name: 'started', title: 'Started', about: 'when it started', unit: {kind: 'number', factor: 1}, value: (row) => row.start,
      show: (cell, row) => showTime(cell, row.start, known.now), width: 136},
  ];
  if (known.hasOwners) {
    columns.push({name: 'owner', title: 'Owner', about: 'account it runs as', value: (row) => row.owner, width: 150},
      {name: 'command', title: 'Command line', value: (row) => row.command, width: 220, grows: true});
  }
  return columns;
}

/** Percent of the whole machine, or of one processor if it is not known how many there are. */
export function shareOf(row, name, processors) {
  return row.values[SLOT[name]] / (processors ?? 1);
}

export function parentText(row) {
  const id = row.values[SLOT.parent];
  if (!(id > 0)) return null;
  return row.parent ? `${row.parent.name} (${id})` : `ended (${id})`;
}

/** 14:05:03, with the day unless it is about the same one as `now`. */
export function startText(start, now) {
  return now - start < DAY_MS / 2 ? clock(start) : dayAndClock(start);
}

function counter(name, title, about, width) {
  const slot = SLOT[name];
  return {name, title, about, unit: UNITS[slot], value: (row) => row.values[slot], reason: (row) => row.reasons?.[slot] ?? null, width};
}

function share(name, title, known, what, width) {
  const of = known.processors ? 'percent of the whole machine, as in Task Manager' : 'percent of one processor';
  return {...counter(name, title, what + of, width), value: (row) => shareOf(row, name, known.processors)};
}

function showId(cell, row) {
  setText(cell, String(row.pid));
}

function showTime(cell, time, now) {
  setText(cell, Number.isFinite(time) ? startText(time, now) : '–');
  setAttribute(cell, 'title', Number.isFinite(time) ? wholeTime(time) : 'The machine does not say when it started.');
}

// A name, and beside it what happened to the process within the span, in words.
function showName(cell, row, isTree) {
  if (!cell.parts) {
    cell.parts = {name: element('span', {class: 'process-name clip'}), started: tag('started'), ended: tag('ended')};
    cell.append(element('div', {class: 'process-cell'}, cell.parts.name, cell.parts.started, cell.parts.ended));
  }
  const {name, started, ended} = cell.parts;
  setText(name, row.name);
  setAttribute(name, 'title', row.command ?? row.name);
  cell.firstElementChild.style.setProperty('--depth', String(isTree ? Math.min(row.depth - 1, 12) : 0));
  // When it started stands in a column of its own.
  showTag(started, 'Started', row.endedAt === null ? row.startedAt : null);
  showTag(ended, 'Ended', row.endedAt, row.endedAt === null ? '' : ` ${clock(row.endedAt)}`);
}

function tag(kind) {
  return element('span', {class: `process-tag ${kind}`, hidden: true});
}

function showTag(node, word, time, more = '') {
  node.hidden = time === null;
  setText(node, time === null ? '' : word + more);
  setAttribute(node, 'title', time === null ? null : `${word} ${wholeTime(time)}`);
}
