// The right side: an object, whether it is sampled or not.

import {element, replaceChildren} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {copyButton} from '../../parts/copy.js';
import {turnOf} from '../../parts/turn.js';
import {addressOf} from '../../shell/address.js';
import {countersetsSnippet} from '../../text/snippets.js';
import {openCounterset} from './counterset.js';

/**
 * @param {Element} place
 * @param {{basket, note: function(Object), ready: function()}} screen `note` keeps changes of instance and counter in the address
 * @param {AbortSignal} signal
 */
export function openDetail(place, screen, signal) {
  let turn = null;
  let shownKey = null;
  let update = null;

  function become(key, open) {
    if (key === shownKey) return;
    shownKey = key;
    turn?.abort();
    turn = turnOf(signal);
    replaceChildren(place);
    update = open(turn.signal) ?? null;
  }

  return {
    /** @param {{counterset, instance, counter}} state @param {import('./objects.js').Objects} objects */
    show(state, objects) {
      const name = state.counterset;
      if (name === null) {
        if (!objects.isRead) return;
        const key = `nothing ${objects.error?.detail ?? ''}`;
        become(key, () => (objects.error ? showProblem(place, objects.error) : showNothing(place)));
        screen.ready();
        return;
      }
      const entry = objects.sampled.find((one) => one.name === name) ?? null;
      const other = entry ? null : objects.unsampled.find((one) => one.name === name);
      if (other) {
        become(`other ${name}`, () => showUnsampled(place, other));
        screen.ready();
        return;
      }
      // What is nowhere gets the exporter's answer, which has the nearest name.
      if (!entry && !objects.isWhole) return;
      become(`sampled ${name}`, (ofTurn) => openCounterset(place, name, screen, ofTurn));
      update?.(state, entry);
    },
  };
}

function showNothing(place) {
  const snippet = countersetsSnippet(['*']);
  place.append(element('section', {class: 'panel'},
    element('h2', null, 'Nothing is sampled'),
    element('p', null, 'The configuration names no counterset that this machine has. This samples all of them:'),
    snippetOf(snippet)));
}

function showUnsampled(place, {name, costly, active}) {
  place.append(element('section', {class: 'panel counters-other'},
    element('p', {class: 'counters-back'}, element('a', {href: addressOf('counters')}, 'All objects')),
    element('div', {class: 'panel-head'}, element('h2', null, name), element('span', {class: 'state'}, 'not sampled')),
    element('p', null, 'This machine has the object, but it is not sampled, so there are no values. Add it to the configuration:'),
    snippetOf(countersetsSnippet([name])),
    costly ? element('p', {class: 'dim'}, 'Windows calls it costly: reading it may take long.') : null,
    active === false ? element('p', {class: 'dim'}, 'Nothing provides its values at the moment.') : null,
    element('p', {class: 'dim'}, 'The exporter takes it over at its next reload.')));
}

function snippetOf(text) {
  return element('div', {class: 'counters-copy'}, element('pre', null, text.trimEnd()), copyButton('Copy', text));
}
