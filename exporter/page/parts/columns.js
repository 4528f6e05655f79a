// Which columns of a table are shown: a menu of check boxes, whose choice the browser keeps, one for narrow screens and one for
// all others.

import {element, keep} from './dom.js';

const NARROW = matchMedia('(max-width: 720px)');

/**
 * @param {string} name of the table, under which the browser keeps the choice
 * @param {{wide: string[], narrow: string[], fixed: string}} first the columns that are shown until somebody chooses; `fixed` is
 *     always there
 * @param {function} change called when other columns are to be shown
 * @param {AbortSignal} signal
 */
export function columnMenu(name, first, change, signal) {
  const body = element('fieldset', null, element('legend', null, 'Columns'));
  const boxes = element('div', {class: 'menu-boxes'});
  body.append(boxes);
  const node = element('details', {class: 'menu'}, element('summary', {class: 'button'}, 'Columns'), body);
  let all = [];
  let chosen = read(name, first);
  const choose = (column, isOn) => {
    chosen = isOn ? [...chosen, column] : chosen.filter((one) => one !== column);
    write(name, chosen);
    change();
  };
  const other = () => {
    chosen = read(name, first);
    show();
    change();
  };
  const show = () => keep(boxes, all, (column) => column.name, (column) => {
    const box = element('input', {type: 'checkbox', onchange: (event) => choose(column.name, event.target.checked)});
    return element('label', {title: column.about}, box, column.about ? `${column.title} – ${column.about}` : column.title);
  }, (label, column) => {
    label.firstElementChild.checked = column.name === first.fixed || chosen.includes(column.name);
    label.firstElementChild.disabled = column.name === first.fixed;
  });
  const close = (event) => {
    const isEscape = event.type === 'keydown' && event.key === 'Escape' && node.open;
    if (!isEscape && !(event.type === 'pointerdown' && !node.contains(event.target))) return;
    if (isEscape) {
      event.stopPropagation();
      node.querySelector('summary').focus();
    }
    node.open = false;
  };
  node.addEventListener('keydown', close);
  document.addEventListener('pointerdown', close, {signal});
  NARROW.addEventListener('change', other, {signal});

  return {
    node,
    /** @param {import('./table.js').Column[]} columns that there are, in the order in which they are shown */
    offer(columns) {
      all = columns;
      show();
    },
    /** Of those that there are, the ones that are shown. */
    shown: () => all.filter((column) => column.name === first.fixed || chosen.includes(column.name)),
  };
}

const keyOf = (name) => `winperf.columns.${name}${NARROW.matches ? '.narrow' : ''}`;

function read(name, first) {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(name)));
    if (Array.isArray(kept)) return kept.filter((one) => typeof one === 'string');
  } catch {
    // A browser without storage forgets the choice.
  }
  return NARROW.matches ? first.narrow : first.wide;
}

function write(name, chosen) {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(chosen));
  } catch {
    // As above.
  }
}
