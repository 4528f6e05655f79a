// The legend: a row for each line, as perfmon has it, with the numbers of what is shown.

import {drawing, element, keep, setAttribute, setText} from '../../parts/dom.js';
import {comparison} from '../../parts/order.js';
import {showValue} from '../../parts/value.js';
import {exact, readable} from '../../text/numbers.js';
import {LARGEST, powerText, scaleText, SMALLEST} from './scales.js';

const AVERAGE = 'The average of the values shown. Each counts for as long as the time since the sample before; missing ones count nothing.';

/**
 * @typedef {{key, name, pen: {colour, dash}, counter, instance, counterset, unit, isHidden: boolean, power: number|null,
 *     chosen: number|undefined, statistic, compared: Object|null, missingWhy: string|null}} Row
 */

/**
 * @param {Element} place
 * @param {{hide: function(Row, boolean), scale: function(Row, number|null), sort: function(string), remove: function(Row),
 *     over: function(Row|null)}} act
 * @returns {{show: function(Row[], boolean, string|null), at: function(string, function(Row): ({value, reason}|undefined)),
 *     near: function(string|null)}}
 */
export function legend(place, act) {
  const body = element('tbody');
  const cursor = element('th', {scope: 'col', class: 'number at'}, 'At the cursor');
  const sorted = new Map();
  const sortable = (name, text, title) => {
    const button = element('button', {type: 'button', class: 'quiet', title: `${title} Sorts by it.`, onclick: () => act.sort(name)}, text);
    sorted.set(name, element('th', {scope: 'col', class: 'number'}, button));
    return sorted.get(name);
  };
  const number = (text, title, kind = '') => element('th', {scope: 'col', class: `number ${kind}`, title}, text);
  const table = element('table', {class: 'legend'},
    element('caption', {class: 'only-read'}, 'Lines of the chart, with the numbers of the time that is shown'),
    element('thead', null, element('tr', null,
      element('th', {scope: 'col'}, 'Show'), element('th', {scope: 'col'}, 'Pen'), element('th', {scope: 'col'}, 'Counter'),
      element('th', {scope: 'col'}, 'Instance'), element('th', {scope: 'col'}, 'Object'), element('th', {scope: 'col'}, 'Scale'),
      sortable('last', 'Last', 'The last value of the time that is shown.'), sortable('average', 'Average', AVERAGE),
      sortable('least', 'Minimum', 'The least of the time that is shown.'),
      sortable('most', 'Maximum', 'The greatest of the time that is shown.'),
      number('Average then', 'The average of the time that is compared with', 'compared'),
      number('Difference', 'The average less that of the time that is compared with', 'compared'),
      cursor, element('th', {scope: 'col'}, element('span', {class: 'only-read'}, 'Remove')))),
    body);
  place.append(table);
  let rows = new Map();

  const make = (row) => makeRow(row.key, (key) => rows.get(key), act);
  return {
    show(all, isCompared, sort) {
      rows = new Map(all.map((row) => [row.key, row]));
      table.classList.toggle('is-compared', isCompared);
      for (const [name, head] of sorted) setAttribute(head, 'aria-sort', name === sort ? 'descending' : null);
      const order = sort ? [...all].sort(comparison((row) => valueFor(row, sort), true)) : all;
      keep(body, order, (row) => row.key, make, updateRow);
    },
    /** Values at the cursor. */
    at(head, valueOf) {
      setText(cursor, head);
      for (const node of body.children) {
        const row = rows.get(node.dataset.key);
        const value = row && valueOf(row);
        const cell = node.querySelector('.at');
        if (value === undefined) {
          setText(cell, '');
          setAttribute(cell, 'title', null);
        } else {
          showValue(cell, value?.value, row.unit, value?.reason);
        }
      }
    },
    /** The row of the line that the mouse is near to. */
    near(key) {
      for (const node of body.children) node.classList.toggle('near', node.dataset.key === key);
    },
  };
}

// Bytes and megabytes are compared as what they mean.
function valueFor({statistic, unit}, sort) {
  return Number.isFinite(statistic[sort]) ? statistic[sort] * unit.factor : null;
}

function makeRow(key, rowOf, act) {
  const box = element('input', {type: 'checkbox', onchange: () => act.hide(rowOf(key), !box.checked)});
  const select = element('select', {onchange: () => act.scale(rowOf(key), select.value === '' ? null : Number(select.value))},
    element('option', {value: ''}));
  for (let power = LARGEST; power >= SMALLEST; --power) select.append(element('option', {value: power}, scaleText(power)));
  const cell = (kind) => element('td', {class: kind});
  const remove = element('button', {type: 'button', class: 'quiet', onclick: () => act.remove(rowOf(key))}, '×');
  const node = element('tr', null,
    element('td', null, box), cell('pen'), element('th', {scope: 'row'}), cell('clip instance'), cell('clip dim'),
    element('td', null, select),
    cell('number'), cell('number'), cell('number'), cell('number'), cell('number compared'), cell('number compared'), cell('number at'),
    element('td', null, remove));
  node.dataset.key = key;
  for (const name of ['mouseenter', 'focusin']) node.addEventListener(name, () => act.over(rowOf(key)));
  for (const name of ['mouseleave', 'focusout']) node.addEventListener(name, () => act.over(null));
  return node;
}

function updateRow(node, row) {
  const [box, pen, counter, instance, object, scale, last, average, least, most, then, difference, , remove] = node.children;
  const {statistic, unit} = row;
  node.classList.toggle('is-hidden', row.isHidden);
  box.firstChild.checked = !row.isHidden;
  setAttribute(box.firstChild, 'aria-label', `Show ${row.name}`);
  if (pen.dataset.pen !== JSON.stringify(row.pen)) {
    pen.dataset.pen = JSON.stringify(row.pen);
    pen.replaceChildren(sample(row.pen));
  }
  setText(counter, row.counter);
  setText(instance, row.instance ?? '–');
  const id = row.identity.process_id;
  setAttribute(instance, 'title', id === undefined || id === null ? row.instance : `${row.instance}, process ${id}`);
  setText(object, row.counterset);
  setAttribute(object, 'title', row.counterset);
  updateScale(scale.firstChild, row);
  showLast(last, row);
  for (const [cell, value] of [[average, statistic.average], [least, statistic.least], [most, statistic.most]]) {
    showValue(cell, value, unit, statistic.reason);
  }
  showValue(then, row.compared?.average, unit, null);
  showDifference(difference, statistic.average, row.compared?.average, unit);
  setAttribute(remove.firstChild, 'aria-label', `Remove ${row.name}`);
}

function showLast(cell, {statistic, unit, missingWhy}) {
  showValue(cell, statistic.last, unit, statistic.reason);
  if (statistic.last === undefined) {
    setText(cell, 'ended');
    setAttribute(cell, 'title', missingWhy);
  }
}

function showDifference(cell, now, then, unit) {
  const isThere = Number.isFinite(now) && Number.isFinite(then);
  const change = isThere ? now - then : null;
  setText(cell, isThere ? `${change > 0 ? '+' : ''}${readable(change, unit)}` : '–');
  setAttribute(cell, 'title', isThere ? exact(change) : 'One of the two times has no value.');
}

function updateScale(select, row) {
  // The unit of the axis, or what fits: perfmon's "scale selected counters".
  setText(select.firstChild, row.power === null ? 'auto' : `auto ${powerText(row.power)}`);
  if (row.chosen !== undefined) setText(select.firstChild, 'auto');
  const value = row.chosen === undefined ? '' : String(row.chosen);
  if (document.activeElement !== select) select.value = value;
  setAttribute(select, 'aria-label', `Scale of ${row.name}`);
}

// The line as it is drawn, so that it is found without its colour, too.
function sample({colour, dash}) {
  const line = drawing('line', {x1: 1, y1: 6, x2: 33, y2: 6, 'stroke-width': 2.5, 'stroke-dasharray': dash.join(' ') || null});
  line.style.setProperty('stroke', `var(--${colour})`);
  return drawing('svg', {width: 34, height: 12, 'aria-hidden': 'true', focusable: 'false'}, line);
}
