// A table whose columns can be sorted, updated in place: a row that has been made stays as long as its item does.

import {element, keep, setAttribute} from '../../parts/dom.js';
import {comparison} from '../../parts/order.js';

/**
 * @typedef {{name: string, title: string, show: function(Element, Object), order: function(Object): (number|string|null),
 *     number?: boolean, hint?: string, wide?: boolean}} Column `show` fills a cell, `order` is what it is sorted by; the first column
 *     names the row
 * @typedef {{of: function(Object): (Object|null), make: function(Object): Element, update: function(Element, Object)}} Detail what
 *     stands below a row, over its whole width, if `of` gives anything; `update` is also called for a new one
 */

/**
 * @param {Element} place
 * @param {{caption: string, columns: Column[], keyOf: function(Object): string, detail?: Detail, sort: string,
 *     sorted?: function(string)}} options `sort` is a column's name, or -name for the other way round; `sorted` is told each other choice
 */
export function sortableTable(place, options) {
  const {columns, detail} = options;
  let {sort} = options;
  let items = [];
  const head = columns.map((column) => headOf(column, () => {
    sortBy(sort === column.name ? `-${column.name}` : column.name);
    options.sorted?.(sort);
  }));
  const body = element('tbody');
  place.append(element('div', {class: 'scroll-x', tabindex: '0', role: 'region', 'aria-label': options.caption},
    element('table', {class: 'health-table'}, element('caption', {class: 'only-read'}, options.caption),
      element('thead', null, element('tr', null, head)), body)));

  function sortBy(wanted) {
    sort = columns.some((column) => column.name === wanted.replace(/^-/, '')) ? wanted : options.sort;
    render();
  }

  function render() {
    const down = sort.startsWith('-');
    const name = sort.replace(/^-/, '');
    const column = columns.find((one) => one.name === name);
    columns.forEach((one, index) => setAttribute(head[index], 'aria-sort', one === column ? (down ? 'descending' : 'ascending') : null));
    const order = [...items].sort(comparison(column.order, down));
    keep(body, rowsOf(order, options), (row) => row.key, (row) => (row.isDetail ? detailRow(row, options) : plainRow(columns)),
      (node, row) => (row.isDetail ? detail.update(node.firstElementChild.firstElementChild, row.item) : fill(node, columns, row.item)));
  }

  render();
  return {
    show(all) {
      items = all;
      render();
    },
    sortBy,
  };
}

function headOf(column, click) {
  return element('th', {scope: 'col', class: column.number ? 'number' : null},
    element('button', {type: 'button', class: 'sort', title: column.hint, onclick: click}, column.title));
}

// Items of the same key are told apart by their place.
function rowsOf(items, {keyOf, detail}) {
  const seen = new Map();
  return items.flatMap((item) => {
    const name = keyOf(item);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const key = `${name}\u0000${count}`;
    const row = {key, item, isDetail: false};
    return detail?.of(item) ? [row, {key: `${key}\u0000more`, item, isDetail: true}] : [row];
  });
}

function plainRow(columns) {
  return element('tr', null, columns.map((column, index) => element(index === 0 ? 'th' : 'td',
    {scope: index === 0 ? 'row' : null, class: [column.number && 'number', column.wide && 'wide'].filter(Boolean).join(' ') || null})));
}

function fill(row, columns, item) {
  columns.forEach((column, index) => column.show(row.cells[index], item));
}

function detailRow({item}, {columns, detail}) {
  return element('tr', {class: 'more'}, element('td', {colspan: columns.length}, detail.make(item)));
}
