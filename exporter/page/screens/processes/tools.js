// What stands above the table: how many there are, the filter, what started and ended, tree or flat, the columns.

import {element, setAttribute, setText} from '../../parts/dom.js';
import {readable} from '../../text/numbers.js';
import {clock, minute} from '../../text/times.js';

const PERCENT = {kind: 'percent', factor: 1};

/**
 * @param {Element} place
 * @param {{filter: function(string), show: function(string), tree: function(boolean)}} tell `show` gets all, started or ended
 * @param {Element[]} more controls at the end
 */
export function processTools(place, tell, more) {
  const said = element('p', {class: 'process-said', role: 'status', 'aria-live': 'off'});
  const input = element('input', {type: 'search', id: 'process-filter', autocomplete: 'off', spellcheck: 'false',
    placeholder: 'Name, PID, owner, command', oninput: () => tell.filter(input.value)});
  const filter = element('div', {class: 'process-filter'}, element('label', {class: 'only-read', for: 'process-filter'}, 'Filter'), input);
  const button = (text, press) => element('button', {type: 'button', 'aria-pressed': 'false', onclick: press}, text);
  const shows = {
    all: button('All', () => tell.show('all')),
    started: button('Started', () => tell.show('started')),
    ended: button('Ended', () => tell.show('ended')),
  };
  const span = element('span', {class: 'dim small'});
  const tree = button('Tree', () => tell.tree(tree.getAttribute('aria-pressed') !== 'true'));
  place.append(
    element('div', {class: 'panel-head'}, element('h2', null, 'Processes'), said),
    element('div', {class: 'tools'}, filter,
      element('div', {class: 'tools', role: 'group', 'aria-label': 'Which processes'}, shows.all, shows.started, shows.ended, span),
      element('div', {class: 'tools process-more'}, tree, more)));

  return {
    focus: () => input.focus(),
    /**
     * @param {{text, show, isTree}} state
     * @param {{all: number, started: number|null, ended: number|null, isPart: boolean}|null} counts null where it is not known
     */
    show(state, counts, [since, until]) {
      if (input.value !== state.text) input.value = state.text;
      for (const [name, one] of Object.entries(shows)) setAttribute(one, 'aria-pressed', String(name === state.show));
      setAttribute(tree, 'aria-pressed', String(state.isTree));
      const number = (count) => count.toLocaleString();
      const {all = null, started = null, ended = null, isPart = false} = counts ?? {};
      setText(shows.all, all === null ? 'All' : `${number(all)} all`);
      setText(shows.started, started === null ? 'Started' : `${number(started)} started`);
      setText(shows.ended, ended === null ? 'Ended' : `${number(ended)}${isPart ? ' or more' : ''} ended`);
      setText(span, state.at === null ? 'in the last 15 minutes' : `from ${minute(since)} to ${minute(until)}`);
    },
    /** @param {{at: number|null, time: number, shown: number, all: number, used: number|null}} facts */
    say({at, time, shown, all, used}) {
      const count = shown === all ? all.toLocaleString() : `${shown.toLocaleString()} of ${all.toLocaleString()}`;
      const cpu = used === null ? '' : `, ${readable(used, PERCENT)} CPU in use`;
      const when = at === null || Number.isNaN(time) ? '' : `, sampled at ${clock(time)}`;
      setText(said, `${count} ${all === 1 ? 'process' : 'processes'}${cpu}${when}`);
    },
    /** In place of the count, while there is none. */
    saySimply: (text) => setText(said, text),
  };
}
