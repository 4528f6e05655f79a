// Every processor as a small line, on one scale from 0 to 100 %, so that one that is busy alone is seen.

import {element, setAttribute, setText} from '../../parts/dom.js';
import {spark} from '../../parts/spark.js';
import {readable} from '../../text/numbers.js';
import {cards} from './cards.js';
import {SECONDS} from './timeline.js';
import {columnsFor} from './values.js';

const PERCENT = {kind: 'percent', factor: 1};
// So many are drawn at a sample; of more, each has its turn. In a line of 15 minutes the difference is not seen.
const DRAWN = 16;

/** @param {AbortSignal} signal */
export function cores(signal) {
  const summary = element('p', {class: 'dim small cores-summary'});
  const grid = element('div', {class: 'cores', 'aria-hidden': 'true'});
  let shown = [];
  let turn = 0;
  // The title of a cell is made when somebody points at it, not for 256 of them each second.
  grid.addEventListener('pointerover', (event) => {
    const cell = event.target.closest('.core');
    const core = cell && shown.find(({key}) => key === cell.dataset.key);
    if (core) setAttribute(cell, 'title', titleOf(core));
  });
  const drawn = new Map();
  const cells = cards(grid, signal, (end, {key}) => {
    const line = spark({colour: 'cpu', most: 100, seconds: SECONDS}, end);
    drawn.set(key, line);
    end.addEventListener('abort', () => drawn.delete(key));
    return {node: element('div', {class: 'core', 'data-key': key}, line.node), update: () => {}};
  });

  return {
    node: element('div', null, summary, grid),
    /** @param {number[]} times @param {Array<{key, name, line}>} all of values.js' instancesOf() */
    show(times, all) {
      const isChanged = all.length !== shown.length || all.some(({key}, index) => key !== shown[index].key);
      shown = all;
      if (isChanged) {
        grid.dataset.size = all.length > 64 ? 'small' : all.length > 16 ? 'middle' : 'large';
        grid.style.setProperty('--columns', String(columnsFor(all.length)));
        cells.show(all);
        turn = 0;
      }
      const count = isChanged ? all.length : Math.min(DRAWN, all.length);
      for (let step = 0; step < count; ++step, turn = (turn + 1) % all.length) {
        drawn.get(all[turn].key)?.draw(times, all[turn].line.values);
      }
      setText(summary, summaryOf(all));
    },
  };
}

function titleOf({name, line}) {
  const known = line.values.filter(Number.isFinite);
  if (known.length === 0) return `Processor ${name}: no value`;
  const text = (value) => readable(Math.min(100, value), PERCENT);
  const now = line.values.at(-1);
  return `Processor ${name}: ${Number.isFinite(now) ? text(now) : 'no value'} now, at most ${text(Math.max(...known))} in 15 minutes`;
}

function summaryOf(all) {
  if (all.length === 0) return '';
  let busiest = null;
  for (const core of all) {
    const value = core.line.values.at(-1);
    if (Number.isFinite(value) && (!busiest || value > busiest.value)) busiest = {name: core.name, value};
  }
  const count = `${all.length} ${all.length === 1 ? 'processor' : 'processors'}`;
  return busiest ? `${count}, the busiest is ${busiest.name} with ${Math.round(Math.min(100, busiest.value))} %` : count;
}
