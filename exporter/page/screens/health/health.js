// Health: whether the exporter itself is well. A summary that is always there, and one of several sections below it.

import {poll} from '../../data/api.js';
import {watchMachine} from '../../data/machine.js';
import {element, keep, setAttribute, setText} from '../../parts/dom.js';
import {addressOf} from '../../shell/address.js';
import {ready} from '../../shell/ready.js';
import {watchZone} from '../../text/times.js';
import * as configuration from './configuration.js';
import * as countersets from './countersets.js';
import * as diagnosis from './diagnosis.js';
import {Messages} from './message_list.js';
import {followMessages, make as makeMessages} from './messages.js';
import * as scrapers from './scrapers.js';
import {badge, makeSummary} from './summary.js';
import * as topics from './topics.js';
import * as workers from './workers.js';

// Each section has
//   make(place, screen): fills a panel; gives {read(params), render(), open?(signal, ready)}. `read` takes what the address says,
//   `render` shows again what is known, `open` asks for what only this section shows, until `signal` says stop; it calls `ready`
//   after the first answer.
const SECTIONS = [
  {name: 'countersets', title: 'Countersets', make: countersets.make},
  {name: 'workers', title: 'Workers', make: workers.make},
  {name: 'scrapers', title: 'Scrapers', make: scrapers.make},
  {name: 'config', title: 'Configuration', make: configuration.make},
  {name: 'log', title: 'Log', make: makeMessages},
  {name: 'facts', title: 'Facts', make: topics.make},
  {name: 'doctor', title: 'Diagnosis', make: diagnosis.make},
];

// What is asked for all the time, for the summary; more often while its section is open.
const OPEN_SECONDS = 5;
const ASIDE_SECONDS = 15;

export function open(place, {params: first, note, signal}) {
  let params = first;
  let current = null;
  const made = new Map();
  const screen = {
    signal,
    countersets: {countersets: null, error: null},
    workers: {workers: null, providers: null, error: null},
    messages: new Messages(),
    /** Notes what a section shows in the address, beside what stands there. */
    note(changed) {
      for (const [name, value] of Object.entries(changed)) {
        if (value === null || value === '') params.delete(name);
        else params.set(name, value);
      }
      note(params);
    },
  };

  const summaryPlace = element('section', {class: 'panel health-summary', 'aria-label': 'Summary'});
  const index = element('nav', {class: 'health-index', 'aria-label': 'Sections of Health'});
  place.append(summaryPlace, index);
  const summary = makeSummary(summaryPlace, screen);

  function show() {
    summary.render();
    renderIndex();
    current?.section.render();
    const {countersets, workers, messages} = screen;
    const isKnown = [countersets.countersets ?? countersets.error, workers.workers ?? workers.error, messages.wasRead || messages.error];
    place.classList.toggle('waiting', !isKnown[1]);
    if (current?.isAnswered && isKnown.every(Boolean)) ready('health', signal);
  }

  function renderIndex() {
    const make = ({title}) => element('a', null, title, ' ', element('span', {class: 'health-badge'}));
    keep(index, SECTIONS, ({name}) => name, make, (link, {name}) => {
      setAttribute(link, 'href', addressOf('health', {section: name}));
      setAttribute(link, 'aria-current', name === current?.name ? 'true' : null);
      const wrong = badge(name, screen);
      setText(link.lastElementChild, wrong ? String(wrong.count) : '');
      link.lastElementChild.hidden = !wrong;
      setAttribute(link, 'title', wrong?.meaning ?? null);
    });
  }

  function change(changed) {
    params = changed;
    const {name, make} = SECTIONS.find((one) => one.name === params.get('section')) ?? SECTIONS[0];
    if (current?.name !== name) {
      leave();
      if (!made.has(name)) {
        const panel = element('section', {class: 'panel health-section'});
        place.append(panel);
        made.set(name, {panel, section: make(panel, screen)});
      }
      enter(name, made.get(name));
    }
    current.section.read(params);
    show();
  }

  function enter(name, {panel, section}) {
    const opened = {name, panel, section, end: new AbortController(), isAnswered: !section.open};
    current = opened;
    panel.hidden = false;
    section.open?.(opened.end.signal, () => {
      if (opened.isAnswered) return;
      opened.isAnswered = true;
      show();
    });
  }

  function leave() {
    if (!current) return;
    current.end.abort();
    current.panel.hidden = true;
  }

  // A section that opens between two questions shows what the last one found.
  const secondsOf = (name) => () => (current.name === name ? OPEN_SECONDS : ASIDE_SECONDS);
  const follow = (route, take) => poll(route, {}, secondsOf(route), (document, error) => {
    take(document, error);
    show();
  }, signal);

  change(first);
  follow('countersets', (document, error) => {
    screen.countersets = {countersets: document?.countersets ?? screen.countersets.countersets, error};
  });
  follow('workers', (document, error) => {
    screen.workers = {...screen.workers, ...document, error};
  });
  followMessages(screen.messages, OPEN_SECONDS, (isNew, error) => {
    const isOther = !screen.messages.wasRead || screen.messages.error?.detail !== error?.detail;
    screen.messages.error = error;
    if (!error) screen.messages.wasRead = true;
    if (isNew || isOther) show();
  }, signal);
  const unwatch = [watchZone(show), watchMachine(() => summary.render())];
  signal.addEventListener('abort', () => {
    leave();
    unwatch.forEach((end) => end());
  });
  return change;
}
