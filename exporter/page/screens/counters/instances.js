// The values of a counter of all instances. The order stays while values change, so that what is read stays where it is; it is
// made anew by a click on a head, or by another filter.

import {element, keep, setAttribute, setText} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {plain} from '../../text/numbers.js';
import {isHit} from './groups.js';
import {unitOfCounter} from './units.js';

const FEW = 12;
const MOST = 500;

/** @param {Object} counter of countersets/NAME @param {function(string)} choose shows the instance */
export function openInstances(counter, choose) {
  const unit = unitOfCounter(counter);
  const filter = element('input', {type: 'search', 'aria-label': 'Filter instances', placeholder: 'Filter', spellcheck: 'false'});
  const count = element('span', {class: 'dim small', role: 'status'});
  const more = element('button', {type: 'button', hidden: true});
  const body = element('tbody');
  const heads = {
    name: head('Instance', 'name'),
    value: head('Now', 'value'),
  };
  const table = element('table', {class: 'counters-instances', 'aria-label': `${counter.name} of all instances`},
    element('thead', null, element('tr', null, heads.name, heads.value, head('Raw value', null))), body);
  let all = [];
  let order = {by: 'value', down: true};
  let places = new Map();  // of each name, in the order that was made last
  let isWhole = false;

  filter.addEventListener('input', () => sort());
  more.addEventListener('click', () => {
    isWhole = true;
    show();
  });

  function head(text, by) {
    if (by === null) return element('th', {scope: 'col', class: 'number'}, text);
    const button = element('button', {type: 'button', class: 'quiet', onclick: () => {
      order = {by, down: order.by === by ? !order.down : by === 'value'};
      sort();
    }}, text);
    return element('th', {scope: 'col', class: by === 'value' ? 'number' : null}, button);
  }

  function sort() {
    const sign = order.down ? -1 : 1;
    const compare = order.by === 'name'
      ? (one, other) => sign * one.name.localeCompare(other.name, undefined, {numeric: true})
      : (one, other) => (one.value === null) - (other.value === null) || sign * (one.value - other.value);
    places = new Map([...all].sort(compare).map(({name}, index) => [name, index]));
    for (const [by, node] of Object.entries(heads)) {
      setAttribute(node, 'aria-sort', by === order.by ? (order.down ? 'descending' : 'ascending') : null);
    }
    show();
  }

  function show() {
    const matching = filter.value ? all.filter(({name}) => isHit(name, filter.value)) : all;
    const ordered = [...matching].sort((one, other) => (places.get(one.name) ?? Infinity) - (places.get(other.name) ?? Infinity) || 0);
    const shown = ordered.slice(0, isWhole ? MOST : FEW);
    keep(body, shown, ({name}) => name, make, update);
    const left = matching.length - shown.length;
    setText(count, `${plain(matching.length)} ${matching.length === 1 ? 'instance' : 'instances'}` +
      (isWhole && left > 0 ? `, of which ${plain(MOST)} are shown: filter or sort to see others` : ''));
    more.hidden = isWhole || left <= 0;
    setText(more, `Show ${left <= MOST - FEW ? 'all' : `${plain(MOST)} of`} ${plain(matching.length)}`);
  }

  const make = ({name}) => element('tr', null,
    element('th', {scope: 'row'},
      element('button', {type: 'button', class: 'quiet', title: 'Show this instance', onclick: () => choose(name)}, name)),
    element('td', {class: 'number'}), element('td', {class: 'number dim'}));
  const update = (row, {value, raw, reason}) => {
    showValue(row.children[1], value, unit, reason);
    setText(row.children[2], raw === null || raw === undefined ? '–' : String(raw));
  };

  return {
    node: element('div', {class: 'counters-all'},
      element('div', {class: 'tools'}, element('h3', null, 'All instances'), filter, count),
      element('div', {class: 'scroll-x'}, table), more),
    /**
     * @param {string|null} time of the values, if they are not current
     * @param {Array<{name: string, value: number|null, raw: number|string|null, reason: string|null}>} values
     */
    show(time, values) {
      setText(heads.value.firstElementChild, time === null ? 'Now' : `At ${time}`);
      const isFirst = all.length === 0;
      all = values;
      if (isFirst) sort();
      else show();
    },
  };
}
