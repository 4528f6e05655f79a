// What happened while the chart was recorded: numbers at the lines of the chart, and a list of what they mean.

import {element, keep, setAttribute, setText} from '../../parts/dom.js';
import {duration} from '../../text/numbers.js';
import {dayAndClock, wholeTime} from '../../text/times.js';

const MOST = 50;

const KINDS = {
  started: 'Exporter started',
  reloaded: 'Configuration reloaded',
  reload_failed: 'Configuration refused',
  worker_lost: 'Worker restarted',
  provider_harm: 'Provider damaged its worker',
  target_hangs: 'Target hangs',
  gap: 'Samples are missing',
  clock_backwards: 'Clock was set back',
};

/** Those of a span, numbered; of too many, the last. */
export function marksOf(annotations, from, to) {
  const some = annotations.filter(({time, until}) => time <= to && (until ?? time) >= from).slice(-MOST);
  return some.map((mark, index) => ({...mark, label: String(index + 1), title: KINDS[mark.kind] ?? mark.kind.replaceAll('_', ' ')}));
}

/** The marks at a time, as far as the mouse can tell. */
export function marksAt(marks, time, tolerance) {
  return marks.filter((mark) => time >= mark.time - tolerance && time <= (mark.until ?? mark.time) + tolerance);
}

/** @param {Element} place a list */
export function showMarks(place, marks) {
  const items = marks.length > 0 ? marks : [null];
  keep(place, items, (mark) => (mark ? `${mark.time} ${mark.kind} ${mark.text}` : 'none'), make, update);
}

function make(mark) {
  if (!mark) return element('li', {class: 'dim'}, 'Nothing was restarted, reloaded or missed in this time.');
  return element('li', null, element('span', {class: 'mark-label'}), element('time'), element('strong'), element('span', {class: 'dim'}));
}

function update(node, mark) {
  if (!mark) return;
  const [label, time, title, text] = node.children;
  setText(label, mark.label);
  setText(time, dayAndClock(mark.time) + (mark.until ? `, for ${duration((mark.until - mark.time) / 1000)}` : ''));
  setAttribute(time, 'title', wholeTime(mark.time));
  setText(title, mark.title);
  setText(text, mark.text);
}
