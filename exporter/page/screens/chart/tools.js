// The buttons above a chart: which time, compared with which other, and what can be taken out of it.

import {machineNow} from '../../data/machine.js';
import {copyButton} from '../../parts/copy.js';
import {element, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {momentOf} from '../../text/times.js';
import {HOUR, MINUTE} from './span.js';
import {COMPARISONS} from './state.js';

const LENGTHS = [
  {name: '1 min', length: MINUTE},
  {name: '5 min', length: 5 * MINUTE},
  {name: '15 min', length: 15 * MINUTE},
  {name: '1 h', length: HOUR},
  {name: '6 h', length: 6 * HOUR},
];

/**
 * @param {Element} place
 * @param {{length: function(number), all: function(), pause: function(), live: function(), pan: function(number),
 *     zoom: function(number), compare: function('previous'|number|null), compareAt: function(number)}} act
 * @returns {{show: function(import('./state.js').State)}}
 */
export function timeTools(place, act) {
  const lengths = LENGTHS.map(({name, length}) => element('button', {type: 'button', title: `The last ${name}, live`,
    onclick: () => act.length(length)}, name));
  const all = element('button', {type: 'button', title: 'All that the recorder remembers', onclick: () => act.all()}, 'All');
  const pause = element('button', {type: 'button', class: 'pause', title: 'New samples are counted, not drawn',
    onclick: () => toggle()}, 'Pause');
  let isLive = true;
  const toggle = () => (isLive ? act.pause() : act.live());
  const button = (text, label, onclick) => element('button', {type: 'button', 'aria-label': label, title: label, onclick}, text);
  const comparison = compareTools(act);
  replaceChildren(place,
    element('div', {class: 'tools', role: 'group', 'aria-label': 'Time'},
      element('div', {class: 'joined'}, lengths, all),
      pause,
      element('div', {class: 'joined'},
        button('◀', 'Earlier', () => act.pan(-0.5)), button('▶', 'Later', () => act.pan(0.5)),
        button('+', 'Zoom in', () => act.zoom(0.5)), button('−', 'Zoom out', () => act.zoom(2)))),
    comparison.node);

  return {
    show(state) {
      isLive = state.view.live;
      LENGTHS.forEach(({length}, index) => setAttribute(lengths[index], 'aria-pressed',
        String(state.view.live && state.view.length === length)));
      setText(pause, isLive ? 'Pause' : 'Back to live');
      pause.classList.toggle('primary', !isLive);
      comparison.show(state);
    },
  };
}

function compareTools(act) {
  const select = element('select', null,
    element('option', {value: ''}, 'Nothing'), element('option', {value: 'previous'}, 'The span before'),
    COMPARISONS.map(({name, value}) => element('option', {value}, name)), element('option', {value: 'moment'}, 'Another time …'));
  const other = element('option', {value: 'other'});
  const moment = element('input', {type: 'text', class: 'moment', placeholder: '14:05 or 2026-11-28 14:05',
    'aria-label': 'Time to compare with: the start', hidden: true});
  const why = element('span', {class: 'small dim', role: 'status'});
  select.addEventListener('change', () => {
    const value = select.value;
    moment.hidden = value !== 'moment';
    setText(why, '');
    if (value === 'moment') moment.focus();
    else if (value !== 'other') act.compare(value === '' ? null : value === 'previous' ? value : Number(value));
  });
  moment.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const time = momentOf(moment.value, machineNow());
    setText(why, time === null ? 'Write a time such as 14:05' : act.compareAt(time) ? '' : 'That is not before what is shown');
  });
  const known = new Set(['previous', ...COMPARISONS.map(({value}) => String(value))]);
  return {
    node: element('div', {class: 'tools'}, element('label', {class: 'small dim'}, 'Compare with ', select), moment, why),
    show({compare}) {
      if (document.activeElement === select || select.value === 'moment') return;
      const value = compare === null ? '' : String(compare);
      other.remove();
      if (value !== '' && !known.has(value)) {
        setText(other, `${Math.round(compare / MINUTE)} min before`);
        select.append(other);
      }
      select.value = value === '' || known.has(value) ? value : 'other';
    },
  };
}

/** @param {Element} place @param {{csv: function(), png: function(), capture: function()}} act */
export function exportTools(place, act) {
  const button = (text, title, onclick) => element('button', {type: 'button', title, onclick}, text);
  replaceChildren(place, button('CSV', 'The values that are shown, for a spreadsheet', act.csv),
    button('PNG', 'A picture of the chart and its legend', act.png),
    button('Capture', 'The raw samples of these countersets in this time, which the exporter can replay on any machine', act.capture),
    copyButton('Copy link', () => location.href));
}
