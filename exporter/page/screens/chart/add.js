// Adding counters: found by a word of their names, or as a path in perfmon's syntax.

import {getDocument} from '../../data/api.js';
import {element, keep, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {partsOf} from '../../text/paths.js';
import {chooseInstances} from './instances.js';
import {ranked} from './ranks.js';
import {whyNot} from './source.js';
import {MOST_PATHS} from './state.js';
import {suggestions} from './suggestions.js';

const MOST_SUGGESTED = 40;

/**
 * @param {Element} place
 * @param {{add: function(string[]), remove: function(string), paths: function(): string[]}} tell
 * @param {AbortSignal} signal
 * @returns {{show: function(Array<{path: string, lines: number, error: import('../../data/api.js').ApiError|undefined}>)}}
 */
export function addCounters(place, tell, signal) {
  const problem = element('div');
  const instances = element('div');
  const list = element('ul', {class: 'chips', 'aria-label': 'Counters in the chart'});
  const room = () => MOST_PATHS - tell.paths().length;
  const add = (paths) => {
    replaceChildren(problem);
    field.clear();
    field.input.focus();
    if (paths.length > room()) {
      const detail = `A chart has at most ${MOST_PATHS} paths, so there is room for ${room()} more. "All" needs only one.`;
      showProblem(problem, {detail});
    }
    tell.add(paths.slice(0, room()));
  };
  const enter = async (text) => {
    replaceChildren(problem);
    if (text === '') return;
    if (!partsOf(text)) {
      showProblem(problem, {detail: 'Choose a counter from the list, or write a path such as \\Processor(_Total)\\% Processor Time.'});
      return;
    }
    const error = await whyNot(text, signal);
    if (signal.aborted) return;
    if (error && error.status !== 503) showProblem(problem, error);
    else add([text]);
  };
  const field = suggestions({
    label: 'Add a counter',
    placeholder: 'Add a counter: a word of its name, or a path',
    find,
    show: (item) => [element('span', null, item.name), element('span', {class: 'dim small'}, item.counterset)],
    take: (item) => {
      replaceChildren(problem);
      field.input.value = `\\${item.counterset}\\${item.name}`;
      chooseInstances(instances, {counterset: item.counterset, counter: item.name}, add, signal);
    },
    enter,
  }, signal);
  replaceChildren(place, field.node, list, problem, instances);

  return {
    show(paths) {
      list.hidden = paths.length === 0;
      keep(list, paths, ({path}) => path, ({path}) => chip(path, () => tell.remove(path)), updateChip);
    },
  };
}

async function find(text, signal) {
  // Of a path, the counter is looked for; while there is none yet, the counterset.
  const parts = partsOf(text);
  const word = parts?.counter.replaceAll('*', '') || text.replace(/^\\/, '').replace(/\(.*$/, '').replace(/\\$/, '');
  const {counters} = await getDocument('counters', {q: word.trim().slice(0, 200)}, {signal});
  const wanted = parts ? counters.filter((one) => one.counterset.toLowerCase() === parts.counterset.toLowerCase()) : counters;
  const some = ranked(wanted, word.trim().toLowerCase()).slice(0, MOST_SUGGESTED);
  const more = wanted.length > some.length ? `, the first ${some.length} are shown` : '';
  return {items: some, note: some.length === 0 ? 'No sampled counter has this in its name.' : `${wanted.length} counters${more}`};
}

function chip(path, remove) {
  return element('li', {class: 'chip'}, element('span', {class: 'clip', title: path}, path), element('span', {class: 'dim small'}),
    element('button', {type: 'button', class: 'quiet', 'aria-label': `Remove ${path}`, title: 'Remove', onclick: remove}, '×'));
}

function updateChip(node, {lines, error}) {
  const about = node.children[1];
  node.classList.toggle('wrong', Boolean(error));
  setText(about, error ? error.detail : lines === null ? '' : lines === 0 ? 'nothing in this time' : lines === 1 ? '' : `${lines} lines`);
  setAttribute(about, 'title', error?.detail ?? null);
}
