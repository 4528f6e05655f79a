// Where the parts of a chart's screen lie. Each has its place before it has anything to show.

import {element, replaceChildren} from '../../parts/dom.js';

export const KEYS = 'Drag to zoom. Shift and drag, or Page Up and Page Down, move in time; + and − zoom; left and right read values.';

/** @param {Element} place @returns {Object<string, Element>} the parts that change */
export function layout(place) {
  const parts = {
    add: element('div', {class: 'chart-add'}),
    presets: element('div', {class: 'chart-start-list'}),
    time: element('div', {class: 'chart-time'}),
    exports: element('div', {class: 'tools'}),
    said: element('p', {class: 'small', role: 'status'}),
    problem: element('div'),
    title: element('h2', null, 'Chart'),
    state: element('span', {class: 'state'}),
    note: element('span', {class: 'dim small'}),
    plot: element('div', {class: 'chart-plot'}),
    readout: element('p', {class: 'dim small clip readout', title: KEYS}, KEYS),
    legend: element('div', {class: 'scroll-x legend-place'}),
    marks: element('ul', {class: 'chart-marks'}),
  };
  parts.around = element('div', {class: 'chart-around', tabindex: '0', role: 'group', 'aria-label': `Chart. ${KEYS}`}, parts.plot);
  parts.start = panel('What do you want to see?', [], parts.presets);
  parts.charted = element('div', {class: 'charted'},
    element('section', {class: 'panel'},
      parts.time,
      element('div', {class: 'panel-head'}, parts.title, parts.note, parts.state),
      parts.problem, parts.around, parts.readout),
    panel('Legend', [parts.said, parts.exports], parts.legend),
    panel('What happened', [], parts.marks));
  const add = element('section', {class: 'panel', 'aria-label': 'Counters'}, parts.add);
  replaceChildren(place, add, parts.start, parts.charted);
  return parts;
}

function panel(title, beside, content) {
  return element('section', {class: 'panel'}, element('div', {class: 'panel-head'}, element('h2', null, title), beside), content);
}
