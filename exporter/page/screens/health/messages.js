// The last messages of the program, as they come.

import {poll} from '../../data/api.js';
import {machineNow} from '../../data/machine.js';
import {element, keep, setAttribute, setText} from '../../parts/dom.js';
import {clock, dayAndClock, parseTime, wholeTime} from '../../text/times.js';
import {MOST} from './message_list.js';
import {choice, panel, searchField, showState} from './section.js';
import {matches} from './words.js';
import {counted} from '../../text/sentence.js';

const FIRST = 200;
const HEADS = ['Time', 'Level', 'About', 'Message'];
const LEVELS = {
  info: {rank: 0, mark: '', text: 'info'},
  warn: {rank: 1, mark: 'warn', text: 'warning'},
  error: {rank: 2, mark: 'bad', text: 'error'},
};

/** Follows the log until `signal` says stop. */
export function followMessages(messages, seconds, show, signal) {
  const question = () => (messages.lastTime() === null ? {n: FIRST} : {n: MOST, since: messages.lastTime()});
  poll('log', question, seconds, (document, error) => show(document ? messages.add(document.messages) : false, error), signal);
}

/** @param {Object} screen of health.js */
export function make(place, screen) {
  const {tools, body, say, fail} = panel(place, {title: 'Log', ofExporter: true});
  const search = searchField('Find in messages', (text) => note({q: text}));
  const level = choice('Level', [['', 'all'], ['warn', 'warnings and errors'], ['error', 'errors']], (name) => note({level: name}));
  const newest = element('button', {type: 'button', hidden: true, onclick: toEnd}, 'Show the newest');
  tools.append(search, level.node, newest);
  const rows = element('tbody', {role: 'rowgroup'});
  const view = element('div', {class: 'health-log scroll-x', tabindex: '0', role: 'region', 'aria-label': 'Messages', onscroll: look},
    element('table', {class: 'health-table', role: 'table'}, element('caption', {class: 'only-read'}, 'Messages, the newest last'),
      element('thead', {role: 'rowgroup'}, element('tr', {role: 'row'}, HEADS.map(headOf))), rows));
  body.append(view);
  let follows = true;

  function note(changed) {
    screen.note(changed);
    follows = true;
    render();
  }

  function look() {
    follows = view.scrollHeight - view.scrollTop - view.clientHeight < 24;
    newest.hidden = follows;
  }

  function toEnd() {
    follows = true;
    newest.hidden = true;
    view.scrollTop = view.scrollHeight;
    view.focus();
  }

  function render() {
    fail(screen.messages.error);
    const all = screen.messages.all();
    if (!screen.messages.wasRead) return;
    const least = LEVELS[level.select.value]?.rank ?? 0;
    const wanted = all.filter((one) => (LEVELS[one.level]?.rank ?? 0) >= least &&
      matches([one.text, one.subject, one.event], search.value));
    const known = all.length >= MOST ? `the last ${counted(all.length, 'message')}` : counted(all.length, 'message');
    say(wanted.length < all.length ? `${wanted.length} of ${known}` : all.length > 0 ? known : 'No message so far');
    keep(rows, wanted, (one) => one.key, rowOf, fill);
    if (follows) view.scrollTop = view.scrollHeight;
  }

  return {
    read(params) {
      search.value = params.get('q') ?? '';
      level.select.value = params.get('level') ?? '';
      follows = true;
      render();
    },
    render,
  };
}

// The roles are those that the elements have anyway, until a narrow window lays them out as lines of text.
function headOf(title) {
  return element('th', {role: 'columnheader', scope: 'col'}, title);
}

function rowOf({event}) {
  return element('tr', {role: 'row'}, element('td', {role: 'cell', class: 'when'}), element('td', {role: 'cell'}),
    element('td', {role: 'cell', class: 'about', title: event}), element('td', {role: 'cell', class: 'text'}));
}

function fill(row, {time, level, subject, event, text}) {
  const moment = parseTime(time);
  const [when, mark, about, words] = row.cells;
  const isToday = machineNow() - moment < 12 * 3600_000;
  setText(when, isToday ? clock(moment) : dayAndClock(moment));
  setAttribute(when, 'title', wholeTime(moment));
  showState(mark, {...(LEVELS[level] ?? {mark: '', text: level}), meaning: event});
  setText(about, subject ?? '');
  setText(words, text);
}
