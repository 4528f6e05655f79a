// What is wrong, first: one calm line if nothing is, else the worst findings with what repairs them.

import {copyButton} from '../../parts/copy.js';
import {element, keep, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {addressOf} from '../../shell/address.js';
import {clock, watchZone, wholeTime} from '../../text/times.js';
import {examination} from './examination.js';
import {ordered} from './findings.js';
import {counted} from '../../text/sentence.js';

const MOST = 8;
const STEPS = 2;
const STATES = {bad: 'bad', warn: 'warn', note: ''};

/** @param {AbortSignal} signal */
export function problemsPanel(signal) {
  const calm = element('p', {class: 'calm'}, element('span', {class: 'state'}, 'Reading what this machine samples …'));
  const list = element('ul', {class: 'problem-list'});
  const more = element('p', {class: 'small', hidden: true});
  const heading = element('h2', {id: 'overview-problems'}, 'What is wrong');
  const examine = examination((findings) => set('examination', findings), signal);
  const node = element('section', {class: 'panel problems', 'aria-labelledby': heading.id},
    element('div', {class: 'panel-head'}, heading, examine.tools), examine.said, calm, list, more);
  // In this order where they are equally bad.
  const sources = new Map(['refused', 'countersets', 'volumes', 'load', 'annotations', 'examination', 'machine'].map((name) => [name, []]));
  let count = null;

  const show = () => {
    const findings = ordered([...sources.values()].flat());
    const shown = findings.slice(0, MOST);
    keep(list, shown, ({key}) => key, findingRow, (row, finding) => row.update(finding));
    const rest = findings.length - shown.length;
    more.hidden = rest === 0;
    if (rest > 0) replaceChildren(more, `and ${rest} more: `, element('a', {href: addressOf('health')}, 'Health'));
    calm.hidden = count === null ? list.children.length > 0 : findings.some(({level}) => level !== 'note');
    if (!calm.hidden && count !== null) showCalm();
  };
  const showCalm = () => {
    const state = calm.firstElementChild;
    state.classList.add('good');
    setText(state, count === 0 ? 'No counterset is sampled, so nothing is known to be wrong.'
      : `Nothing is wrong: ${counted(count, 'counterset')} ${count === 1 ? 'is' : 'are'} fresh.`);
    state.classList.toggle('good', count > 0);
  };
  const set = (source, findings) => {
    sources.set(source, findings);
    show();
  };
  const unwatch = watchZone(() => {
    for (const row of list.children) row.showTime();
  });
  signal.addEventListener('abort', unwatch);
  return {
    node,
    /** @param {string} source whose earlier findings these replace @param {import('./findings.js').Finding[]} findings */
    set,
    /** @param {number} fresh how many countersets are */
    setCount(fresh) {
      count = fresh;
      show();
    },
  };
}

function findingRow() {
  const state = element('span', {class: 'state'});
  const sentence = element('span', {class: 'sentence'});
  const when = element('time', {class: 'dim small'});
  const repair = element('ul', {class: 'problem-steps small'});
  const row = element('li', null, state, element('div', null, element('p', null, sentence, ' ', when), repair));
  let last = null;
  row.update = (finding) => {
    const {level, word, repair: steps} = finding;
    last = finding;
    setAttribute(state, 'class', `state ${STATES[level]}`);
    setText(state, word);
    setText(sentence, finding.sentence);
    row.showTime();
    const key = JSON.stringify(steps);
    if (repair.dataset.key === key) return;
    repair.dataset.key = key;
    const rest = steps.length - STEPS;
    const others = rest > 0 ? element('li', null, element('a', {href: addressOf('health')}, counted(rest, 'more step'))) : null;
    replaceChildren(repair, steps.slice(0, STEPS).map(stepItem), others);
    repair.hidden = steps.length === 0;
  };
  row.showTime = () => {
    const {time} = last;
    when.hidden = time === undefined;
    if (time === undefined) return;
    setText(when, clock(time));
    setAttribute(when, 'datetime', new Date(time).toISOString());
    setAttribute(when, 'title', wholeTime(time));
  };
  return row;
}

function stepItem({command, text}) {
  if (!command) return element('li', null, text);
  return element('li', null, element('span', {class: 'step'},
    element('code', {class: 'clip', title: command}, command), copyButton('Copy', command)), ` ${text}`);
}
