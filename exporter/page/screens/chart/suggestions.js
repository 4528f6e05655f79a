// A text field with suggestions, as the ARIA practices describe a combobox with a list: arrow keys choose, Enter takes, Escape
// closes the list.

import {element, replaceChildren, setAttribute} from '../../parts/dom.js';

const PATIENCE_MS = 150;
let lists = 0;

/**
 * @param {{label: string, placeholder: string, find: function(string, AbortSignal): Promise<{items: Array, note: string}>,
 *     show: function(Object): Array, take: function(Object), enter: function(string)}} options `find` looks for suggestions; `show`
 *     makes what stands in the list; `take` gets the item that was chosen, `enter` the text if none was
 * @param {AbortSignal} signal
 * @returns {{node: Element, input: HTMLInputElement, clear: function()}}
 */
export function suggestions({label, placeholder, find, show, take, enter}, signal) {
  const id = `suggestions-${++lists}`;
  const list = element('ul', {id, role: 'listbox', class: 'suggestions', hidden: true, 'aria-label': label});
  const input = element('input', {type: 'text', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': id,
    'aria-autocomplete': 'list', 'aria-label': label, placeholder, autocomplete: 'off', spellcheck: 'false'});
  const note = element('p', {class: 'only-read', role: 'status'});
  const node = element('div', {class: 'combobox'}, input, list, note);
  let items = [];
  let active = -1;
  let timer = null;
  let turn = null;

  const close = () => {
    clearTimeout(timer);
    turn?.abort();
    list.hidden = true;
    items = [];
    activate(-1);
    setAttribute(input, 'aria-expanded', 'false');
  };
  const activate = (index) => {
    list.children[active]?.setAttribute('aria-selected', 'false');
    active = index;
    list.children[active]?.setAttribute('aria-selected', 'true');
    list.children[active]?.scrollIntoView({block: 'nearest'});
    setAttribute(input, 'aria-activedescendant', active < 0 ? null : `${id}-${active}`);
  };
  const choose = (item) => {
    close();
    take(item);
  };
  const open = (found) => {
    items = found.items;
    active = -1;
    setAttribute(input, 'aria-activedescendant', null);
    replaceChildren(list, items.map((item, index) => element('li', {id: `${id}-${index}`, role: 'option', 'aria-selected': 'false',
      onmousedown: (event) => event.preventDefault(), onclick: () => choose(item)}, show(item))));
    if (items.length === 0) {
      list.append(element('li', {class: 'dim', role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false'}, found.note));
    }
    replaceChildren(note, found.note);
    list.hidden = false;
    setAttribute(input, 'aria-expanded', 'true');
  };
  const look = async () => {
    turn?.abort();
    turn = new AbortController();
    const mine = turn;
    try {
      const found = await find(input.value, mine.signal);
      if (!mine.signal.aborted && !signal.aborted && document.activeElement === input) open(found);
    } catch (error) {
      if (error.name !== 'AbortError' && !mine.signal.aborted) open({items: [], note: error.detail ?? error.message});
    }
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    if (input.value.trim() === '') close();
    else timer = setTimeout(look, PATIENCE_MS);
  });
  input.addEventListener('blur', close);
  const finish = () => {
    close();
    enter(input.value.trim());
  };
  input.addEventListener('keydown', (event) => {
    const count = items.length;
    if (event.key === 'ArrowDown' && list.hidden) look();
    else if (event.key === 'ArrowDown' && count > 0) activate((active + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) activate((Math.max(active, 0) + count - 1) % count);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && active >= 0) choose(items[active]);
    else if (event.key === 'Enter') finish();
    else return;
    event.preventDefault();
  });
  signal.addEventListener('abort', close);
  return {node, input, clear: () => {
    input.value = '';
    close();
  }};
}
