// A table of thousands of rows, of which only those are in the document that can be seen.
//
// Rows keep their place while somebody reads: while the pointer is over the rows, the keyboard is in them, or they are scrolled,
// new samples change values but not the order. Rows that are gone stay, dimmed, and new ones come last. When the reader has left,
// the next sample sorts again; "Sort again" does it at once. A table that is not touched is in order with each sample.

import {element, replaceChildren, setAttribute, setText} from './dom.js';
import {comparison, heldOrder} from './order.js';
import {showValue} from './value.js';

const ROW_PX = 26;
const OVERSCAN = 6;
const MOST_GONE = 200;
// On a narrow screen, a column that grows begins with less.
const NARROW = matchMedia('(max-width: 720px)');
const NARROW_PX = 120;
let tables = 0;

/**
 * @typedef {Object} Column
 * @property {string} name
 * @property {string} title of the head
 * @property {string} [about] what it is, shown when the pointer is over the head
 * @property {function(Object): (number|string|null|undefined)} value of a row: by which it is sorted, and what is shown
 * @property {{kind: string, factor: number}} [unit] of a number, as unitOf() has it; without one, the value is a text
 * @property {function(Object): (string|null)} [reason] why a number is missing, as the API calls it
 * @property {function(Element, Object)} [show] fills a cell, if a text or number is not enough; the cell may have shown another row
 * @property {number} width in pixels
 * @property {boolean} [grows] takes what is left of the width
 */

/**
 * @param {Element} place of a given height, set by the style sheet
 * @param {{label: string, columns: Column[], keyOf: function(Object): string, sort: {column: string, descending: boolean},
 *     tie?: function(Object): string, arrange?: function(Object[], function): Object[], isTree?: boolean,
 *     classOf?: function(Object): string, levelOf?: function(Object): number, open?: function(Object), move?: function(Object),
 *     sorted?: function({column, descending}), empty?: string}} options `arrange` puts rows in order with a comparison, if sorting
 *     is not enough; `open` is called for a row that is clicked, or by Enter; `move` when the keyboard selects another; `sorted`
 *     when a head is pressed; `levelOf` of a tree begins with 1
 * @param {AbortSignal} signal
 */
export function table(place, options, signal) {
  return new Table(place, options, signal);
}

class Table {
  /** "Sort again", for the caller to place; hidden, with its space kept, while there is nothing to sort. */
  again = element('button', {type: 'button', class: 'table-again'}, 'Sort again');

  #options;
  #columns;
  #sort;
  #id = `table-${++tables}`;
  #rows = [];      // as they were given
  #order = [];     // as they are shown
  #gone = new Set();
  #selected = null;
  #first = 0;      // index of the first row in the document
  #isOver = false;
  #isStale = false;
  #frame = 0;
  #scroll;
  #table;
  #cols;
  #head;
  #body;
  #above;
  #below;
  #empty;

  constructor(place, options, signal) {
    this.#options = options;
    this.#columns = options.columns;
    this.#sort = {...options.sort};
    this.#build(place);
    this.#listen(signal);
    this.columns(options.columns);
  }

  #build(place) {
    this.#above = element('td');
    this.#below = element('td');
    const spacer = (cell) => element('tbody', {'aria-hidden': 'true', class: 'table-space'}, element('tr', null, cell));
    this.#cols = element('colgroup');
    this.#head = element('tr', {'aria-rowindex': '1'});
    this.#body = element('tbody');
    this.#table = element('table', {
      class: 'rows', role: this.#options.isTree ? 'treegrid' : 'grid', tabindex: '0', 'aria-label': this.#options.label,
      'aria-rowcount': '1',
    }, this.#cols, element('thead', null, this.#head), spacer(this.#above), this.#body, spacer(this.#below));
    this.#empty = element('p', {class: 'table-empty dim', role: 'status'});
    this.#scroll = element('div', {class: 'table-scroll'}, this.#table, this.#empty);
    this.#scroll.style.setProperty('--row', `${ROW_PX}px`);
    replaceChildren(place, this.#scroll);
    this.#showAgain();
  }

  #listen(signal) {
    const later = () => {
      if (this.#frame === 0) this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#render();
      });
    };
    this.#scroll.addEventListener('scroll', later, {passive: true});
    this.#table.addEventListener('pointerenter', (event) => (this.#isOver = event.pointerType === 'mouse'));
    this.#table.addEventListener('pointerleave', () => (this.#isOver = false));
    this.#table.addEventListener('keydown', (event) => this.#key(event));
    this.#body.addEventListener('click', (event) => this.#click(event));
    this.again.addEventListener('click', () => this.sortAgain());
    const resize = new ResizeObserver(later);
    resize.observe(this.#scroll);
    signal.addEventListener('abort', () => {
      resize.disconnect();
      cancelAnimationFrame(this.#frame);
    });
  }

  /**
   * @param {Object[]} rows all of them; a row of a known key may be the same object with other values
   * @param {{anew?: boolean, empty?: string}} [how] `anew`: sorted in any case, because the reader asked for other rows; `empty`
   *     is said in place of the rows if there are none
   */
  show(rows, {anew = false, empty = this.#options.empty ?? 'Nothing to show.'} = {}) {
    this.#rows = rows;
    if (!anew && this.#isRead()) {
      const held = heldOrder(this.#order, rows, this.#options.keyOf, MOST_GONE);
      this.#order = held.order;
      this.#gone = held.gone;
      this.#isStale = true;
    } else {
      this.#arrange();
    }
    setText(this.#empty, this.#order.length === 0 ? empty : '');
    this.#showAgain();
    this.#render();
  }

  /** Other columns, in this order. */
  columns(columns) {
    this.#columns = columns;
    if (!columns.some((column) => column.name === this.#sort.column)) this.#sort = {...this.#options.sort};
    replaceChildren(this.#cols, columns.map(() => element('col')));
    [...this.#cols.children].forEach((col, index) => {
      if (!columns[index].grows) col.style.setProperty('width', `${columns[index].width}px`);
    });
    const least = ({width, grows}) => (grows && NARROW.matches ? Math.min(width, NARROW_PX) : width);
    this.#table.style.setProperty('min-width', `${columns.reduce((sum, column) => sum + least(column), 0)}px`);
    for (const cell of [this.#above, this.#below]) setAttribute(cell, 'colspan', String(columns.length));
    replaceChildren(this.#head, columns.map((column) => this.#headCell(column)));
    this.#showSort();
    replaceChildren(this.#body);
    this.#arrange();
    this.#render();
  }

  /** Says that `arrange` puts rows in order in another way from now on: as a tree, or flat. */
  tree(isTree) {
    setAttribute(this.#table, 'role', isTree ? 'treegrid' : 'grid');
    this.#options.isTree = isTree;
    this.sortAgain();
  }

  /** @param {string|null} key of the row that is marked as selected */
  select(key, {scroll = false} = {}) {
    this.#selected = key;
    if (scroll && key !== null) this.#reveal(this.#indexOf(key));
    this.#render();
  }

  sortAgain() {
    this.#arrange();
    this.#showAgain();
    this.#render();
  }

  /** @param {{column: string, descending: boolean}} sort */
  sortBy(sort) {
    if (!this.#columns.some((column) => column.name === sort.column)) return;
    this.#sort = {...sort};
    this.#showSort();
    this.sortAgain();
  }

  focus() {
    this.#table.focus({preventScroll: true});
  }

  #isRead() {
    return this.#isOver || this.#scroll.scrollTop > 0 || this.#table.matches(':focus-visible');
  }

  #arrange() {
    const column = this.#columns.find((one) => one.name === this.#sort.column) ?? this.#columns[0];
    const compare = comparison(column.value, this.#sort.descending, this.#options.tie);
    this.#order = this.#options.arrange ? this.#options.arrange(this.#rows, compare) : [...this.#rows].sort(compare);
    this.#gone = new Set();
    this.#isStale = false;
  }

  #showAgain() {
    this.again.classList.toggle('unseen', !this.#isStale);
    this.again.disabled = !this.#isStale;
  }

  #headCell(column) {
    const press = () => {
      const isSame = this.#sort.column === column.name;
      const sort = {column: column.name, descending: isSame ? !this.#sort.descending : Boolean(column.unit)};
      this.sortBy(sort);
      this.#options.sorted?.(sort);
    };
    const button = element('button', {type: 'button', class: 'quiet', onclick: press}, column.title);
    return element('th', {scope: 'col', class: column.unit ? 'number' : null, title: column.about}, button);
  }

  // One of the heads is in the order of Tab; left and right go on from it.
  #showSort() {
    const sorted = this.#columns.findIndex((column) => column.name === this.#sort.column);
    [...this.#head.children].forEach((cell, index) => {
      const isSorted = index === sorted;
      setAttribute(cell, 'aria-sort', isSorted ? (this.#sort.descending ? 'descending' : 'ascending') : null);
      cell.firstElementChild.tabIndex = index === Math.max(0, sorted) ? 0 : -1;
    });
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target !== this.#table) {
      const step = {ArrowLeft: 'previousElementSibling', ArrowRight: 'nextElementSibling'}[event.key];
      const cell = step && event.target.closest('th')?.[step];
      if (cell) cell.firstElementChild.focus();
      return;
    }
    if (event.key === 'Enter') {
      const row = this.#order[this.#indexOf(this.#selected)];
      if (row) this.#options.open?.(row);
      return;
    }
    const index = this.#target(event.key);
    if (index === null || this.#order.length === 0) return;
    event.preventDefault();
    const row = this.#order[Math.min(this.#order.length - 1, Math.max(0, index))];
    this.select(this.#options.keyOf(row), {scroll: true});
    this.#options.move?.(row);
  }

  #target(key) {
    const now = this.#indexOf(this.#selected);
    const page = Math.max(1, Math.floor((this.#scroll.clientHeight - this.#head.offsetHeight) / ROW_PX) - 1);
    if (key === 'ArrowDown') return now + 1;
    if (key === 'ArrowUp') return now - 1;
    if (key === 'PageDown') return now + page;
    if (key === 'PageUp') return now - page;
    if (key === 'Home') return 0;
    if (key === 'End') return this.#order.length - 1;
    return null;
  }

  #click(event) {
    const node = event.target.closest('tr');
    if (!node || event.target.closest('a, button')) return;
    const row = this.#order[this.#first + [...this.#body.children].indexOf(node)];
    if (!row) return;
    this.select(this.#options.keyOf(row));
    this.#options.open?.(row);
  }

  #indexOf(key) {
    return key === null ? -1 : this.#order.findIndex((row) => this.#options.keyOf(row) === key);
  }

  #reveal(index) {
    if (index < 0) return;
    const top = index * ROW_PX;
    const room = this.#scroll.clientHeight - this.#head.offsetHeight;
    if (top < this.#scroll.scrollTop) this.#scroll.scrollTop = top;
    else if (top + ROW_PX > this.#scroll.scrollTop + room) this.#scroll.scrollTop = top + ROW_PX - room;
  }

  #render() {
    const count = this.#order.length;
    const seen = Math.ceil(this.#scroll.clientHeight / ROW_PX) + 1;
    const first = Math.max(0, Math.min(Math.floor(this.#scroll.scrollTop / ROW_PX) - OVERSCAN, count - seen));
    const last = Math.min(count, first + seen + 2 * OVERSCAN);
    this.#above.style.setProperty('height', `${first * ROW_PX}px`);
    this.#below.style.setProperty('height', `${(count - last) * ROW_PX}px`);
    setAttribute(this.#table, 'aria-rowcount', String(count + 1));
    this.#recycle(first, last);
    const selected = this.#indexOf(this.#selected);
    setAttribute(this.#table, 'aria-activedescendant', selected >= first && selected < last ? `${this.#id}-${selected}` : null);
    for (let index = first; index < last; ++index) this.#fill(this.#body.children[index - first], index, index === selected);
  }

  // Rows that are scrolled out at one end come in at the other.
  #recycle(first, last) {
    const body = this.#body;
    const length = body.children.length;
    const step = first - this.#first;
    if (step > 0 && step < length) for (let moved = 0; moved < step; ++moved) body.append(body.firstElementChild);
    else if (step < 0 && -step < length) for (let moved = 0; moved < -step; ++moved) body.prepend(body.lastElementChild);
    while (body.children.length > last - first) body.lastElementChild.remove();
    while (body.children.length < last - first) body.append(this.#makeRow());
    this.#first = first;
  }

  #makeRow() {
    return element('tr', null, this.#columns.map((column, index) =>
      element(index === 0 ? 'th' : 'td', {scope: index === 0 ? 'row' : null, class: column.unit ? 'number' : 'clip'})));
  }

  #fill(node, index, isSelected) {
    const row = this.#order[index];
    const isGone = this.#gone.has(this.#options.keyOf(row));
    setAttribute(node, 'id', `${this.#id}-${index}`);
    setAttribute(node, 'aria-rowindex', String(index + 2));
    setAttribute(node, 'aria-selected', String(isSelected));
    setAttribute(node, 'aria-level', this.#options.isTree && this.#options.levelOf ? String(this.#options.levelOf(row)) : null);
    const look = [this.#options.classOf?.(row), isGone && 'gone'].filter(Boolean).join(' ');
    if (node.className !== look) node.className = look;
    setAttribute(node, 'title', isGone ? 'It is not there any more.' : null);
    this.#columns.forEach((column, place) => fillCell(node.children[place], column, row));
  }
}

// What a cell shows is remembered, because asking the document for it costs more than the comparison.
function fillCell(cell, column, row) {
  if (column.show) {
    column.show(cell, row);
    return;
  }
  const value = column.value(row);
  const reason = column.reason?.(row) ?? null;
  if (cell.shownColumn === column && Object.is(cell.shownValue, value) && cell.shownReason === reason) return;
  Object.assign(cell, {shownColumn: column, shownValue: value, shownReason: reason});
  if (column.unit) {
    showValue(cell, value, column.unit, reason);
    return;
  }
  const text = value === null || value === undefined ? '' : String(value);
  setText(cell, text);
  setAttribute(cell, 'title', text || null);
}
