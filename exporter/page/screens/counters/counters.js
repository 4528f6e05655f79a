// The screen "counters": finds a counter by its object, name, help or instance, and shows what it is, its value and how it is
// called elsewhere. On the left all objects, or what a search found; on the right one object with its counters.

import {element, setAttribute, setText} from '../../parts/dom.js';
import {ready} from '../../shell/ready.js';
import {plain} from '../../text/numbers.js';
import {openBasket} from './basket.js';
import {openDetail} from './detail.js';
import {groupHits, LONGEST_QUERY} from './groups.js';
import {amounts} from './head.js';
import {openList} from './list.js';
import {followObjects} from './objects.js';
import {Search} from './search.js';
import {counted} from '../../text/sentence.js';

const FIRST = ['Processor Information', 'Processor', 'Memory'];

/** @type {import('../index.js').open} */
export function open(place, {params, note, signal}) {
  const field = element('input', {type: 'search', id: 'counters-q', maxlength: LONGEST_QUERY, spellcheck: 'false', autocomplete: 'off',
    placeholder: 'Object, counter or instance', 'aria-keyshortcuts': '/'});
  const said = element('p', {class: 'dim small', role: 'status'});
  const listPlace = element('div', {class: 'counters-scroll'});
  const detailPlace = element('div', {class: 'counters-detail'});
  const panes = element('div', {class: 'counters-panes'},
    element('section', {class: 'panel counters-list', 'aria-labelledby': 'counters-objects'},
      element('div', {class: 'counters-search'},
        element('h2', {id: 'counters-objects'}, 'Objects'),
        element('label', {for: 'counters-q', class: 'only-read'}, 'Search objects, counters and instances'), field, said),
      listPlace),
    detailPlace);
  const basketPlace = element('div', {class: 'counters-basket'});
  place.append(panes, basketPlace);

  let state = stateOf(params);
  let objects = {sampled: [], unsampled: [], isRead: false, isWhole: false, error: null};
  let found = null;
  const basket = openBasket(basketPlace);
  const list = openList(listPlace);
  const detail = openDetail(detailPlace, {
    basket,
    note(changed) {
      state = {...state, ...changed};
      note(state);
      showList();
    },
    ready: () => ready('counters', signal),
  }, signal);
  const search = new Search((answer) => {
    if (answer.query !== state.q) return;
    const names = [...objects.sampled, ...objects.unsampled].map(({name}) => name);
    found = {...answer, ...groupHits(answer.query, names, answer.counters, answer.instances)};
    found.leftOut += answer.leftOut;
    showList();
  }, signal);

  function showList() {
    if (state.q && found) {
      list.showFound(found, {...state, counterset: chosen()});
      setText(said, found.error ? '' : foundText(found));
      return;
    }
    list.showObjects(objects, {...state, counterset: chosen()});
    setText(said, state.q ? 'Searching' : objectsText(objects));
  }

  // Of an address that names no object, one that most look for.
  function chosen() {
    const known = new Set(objects.sampled.map(({name}) => name));
    return state.counterset ?? FIRST.find((name) => known.has(name)) ?? objects.sampled[0]?.name ?? null;
  }

  function choose() {
    setAttribute(panes, 'class', `counters-panes${state.counterset ? ' has-choice' : ''}`);
    detail.show({...state, counterset: chosen()}, objects);
  }

  function ask() {
    if (!state.q) {
      search.stop();
      found = null;
    } else {
      search.ask(state.q, objects.sampled);
    }
    showList();
  }

  field.value = state.q;
  field.addEventListener('input', () => {
    state = {...state, q: field.value.trim()};
    note(state);
    ask();
  });
  field.addEventListener('keydown', (event) => {
    const first = list.first();
    if (event.key === 'ArrowDown' && first) {
      event.preventDefault();
      first.focus();
    } else if (event.key === 'Enter' && first) {
      first.click();
    }
  });
  document.addEventListener('keydown', (event) => {
    const isForOthers = event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea');
    if (event.key !== '/' || isForOthers) return;
    event.preventDefault();
    field.focus();
    field.select();
  }, {signal});

  showList();
  followObjects((all) => {
    const isFirst = all.isRead && !objects.isRead;
    objects = all;
    if (isFirst && state.q) ask();
    else if (!(state.q && found)) showList();
    choose();
  }, signal);

  return (changed) => {
    const before = state.q;
    state = stateOf(changed);
    if (field.value.trim() !== state.q) field.value = state.q;
    if (state.q !== before) ask();
    else showList();
    choose();
  };
}

function stateOf(params) {
  const of = (name) => params.get(name) || null;
  const q = (params.get('q') ?? '').slice(0, LONGEST_QUERY);
  return {q, counterset: of('counterset'), instance: of('instance'), counter: of('counter')};
}

function objectsText({sampled, unsampled}) {
  if (sampled.length === 0 && unsampled.length === 0) return '\u00a0';
  const failing = sampled.filter(({status}) => status !== 'ok' && status !== 'pending').length;
  return `${plain(sampled.length)} sampled${failing > 0 ? `, ${plain(failing)} with a problem` : ''}` +
    (unsampled.length > 0 ? `, ${plain(unsampled.length)} not sampled` : '');
}

function foundText({groups, counters, instances, leftOut}) {
  if (groups.length === 0) return 'Nothing found. The search knows names of objects, counters and instances, and help texts.';
  const more = leftOut > 0 ? '; more are left out: write more letters' : '';
  return `In ${counted(groups.length, 'object')}: ${amounts(counters, instances)}${more}`;
}
