// Which instances of a counter: all, or some of them.

import {getDocument} from '../../data/api.js';
import {element, replaceChildren, setText} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {pathOf} from '../../text/paths.js';

// A list of thousands is no help: one of them is found by typing its name.
const MOST_SHOWN = 200;
const MANY = 12;

/**
 * Asks for instances in `place`; `done` gets paths, or none if nothing was chosen. Adds at once if there is nothing to ask.
 * @param {Element} place
 * @param {{counterset: string, counter: string}} wanted
 * @param {function(string[])} done
 * @param {AbortSignal} signal
 */
export async function chooseInstances(place, {counterset, counter}, done, signal) {
  let names;
  try {
    const found = await getDocument(`countersets/${encodeURIComponent(counterset)}`, {}, {signal});
    if (!found.multi_instance) {
      done([pathOf(counterset, null, counter)]);
      return;
    }
    names = found.instance_names ?? [];
  } catch (error) {
    if (!signal.aborted) showProblem(place, error);
    return;
  }
  if (signal.aborted) return;
  const end = (paths) => {
    replaceChildren(place);
    done(paths);
  };
  replaceChildren(place, form({counterset, counter, names}, end));
  place.querySelector('input').focus();
}

function form({counterset, counter, names}, end) {
  const chosen = new Set();
  const all = element('input', {type: 'checkbox', checked: true});
  const list = element('div', {class: 'instances-list'});
  const add = element('button', {type: 'submit', class: 'primary'});
  const told = () => setText(add, all.checked ? `Add all ${names.length}` : chosen.size === 1 ? 'Add 1 line' : `Add ${chosen.size} lines`);
  const change = () => {
    add.disabled = !all.checked && chosen.size === 0;
    told();
  };
  all.addEventListener('change', change);
  const show = (text) => {
    const some = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
    replaceChildren(list, some.slice(0, MOST_SHOWN).map((name) => choice(name, chosen, () => {
      all.checked = chosen.size === 0;
      change();
    })));
    const more = some.length - MOST_SHOWN;
    if (more > 0) list.append(element('p', {class: 'dim small'}, `and ${more} more: type a part of the name`));
  };
  const find = element('input', {type: 'search', oninput: (event) => show(event.target.value)});
  const filter = names.length > MANY ? element('label', null, 'Find ', find) : null;
  show('');
  change();
  const finish = (event) => {
    event.preventDefault();
    end(all.checked ? [pathOf(counterset, '*', counter)] : [...chosen].map((name) => pathOf(counterset, name, counter)));
  };
  return element('form', {class: 'instances', onsubmit: finish, onkeydown: (event) => event.key === 'Escape' && end([])},
    element('fieldset', null,
      element('legend', null, `Which instances of ${counterset} – ${counter}?`),
      element('div', {class: 'tools'}, element('label', null, all, ' All, also those that come later (*)'), filter),
      list,
      element('div', {class: 'tools'}, add, element('button', {type: 'button', onclick: () => end([])}, 'Cancel'))));
}

function choice(name, chosen, change) {
  const box = element('input', {type: 'checkbox', checked: chosen.has(name)});
  box.addEventListener('change', () => {
    if (box.checked) chosen.add(name);
    else chosen.delete(name);
    change();
  });
  return element('label', {class: 'clip', title: name}, box, ` ${name}`);
}
