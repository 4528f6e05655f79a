// Which instance is shown: a list to choose from; where there are too many for one, a field that completes names.

import {element, keep, replaceChildren, setText} from '../../parts/dom.js';
import {isHit} from './groups.js';

const MOST_OF_A_LIST = 200;
const MOST_SUGGESTED = 100;

/** @param {function(string)} chosen is called with the name of another instance */
export function openChoice(chosen) {
  const select = element('select', {id: 'counters-instance'});
  const options = element('datalist', {id: 'counters-instances'});
  const field = element('input', {type: 'text', id: 'counters-instance-field', list: 'counters-instances', spellcheck: 'false',
    autocomplete: 'off'});
  const label = element('label', null, 'Instance');
  const node = element('div', {class: 'tools counters-instance', hidden: true}, label, select, field, options);
  let all = [];
  let current = null;

  select.addEventListener('change', () => chosen(select.value));
  const suggest = () => {
    const names = all.filter((name) => isHit(name, field.value)).slice(0, MOST_SUGGESTED);
    replaceChildren(options, names.map((name) => element('option', {value: name})));
  };
  field.addEventListener('input', () => {
    suggest();
    if (field.value !== current && all.includes(field.value)) chosen(field.value);
  });
  field.addEventListener('focus', () => {
    field.select();
    suggest();
  });
  field.addEventListener('blur', () => {
    field.value = current ?? '';
  });

  return {
    node,
    /** @param {string[]|null} names null for an object without instances @param {string|null} instance */
    show(names, instance) {
      node.hidden = names === null;
      if (names === null) return;
      current = instance;
      const isShort = names.length <= MOST_OF_A_LIST;
      select.hidden = !isShort;
      field.hidden = isShort;
      label.htmlFor = isShort ? select.id : field.id;
      all = names;
      if (!isShort) {
        if (globalThis.document.activeElement !== field) field.value = instance ?? '';
        return;
      }
      // One that has ended stays chosen.
      const listed = instance === null || names.includes(instance) ? names : [instance, ...names];
      keep(select, listed, (name) => name, (name) => element('option', {value: name}), (option, name) => setText(option, name));
      select.value = instance ?? '';
    },
  };
}
