// What the panels of the overview have in common: a head with links, numbers with their names, and a line in place of what is not
// sampled.

import {copyButton} from '../../parts/copy.js';
import {element, replaceChildren, setAttribute} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {shown} from '../../data/api.js';
import {addressOf} from '../../shell/address.js';
import {asSentence} from '../../text/sentence.js';

/**
 * @param {string} title
 * @param {string} name of its place in the style sheet
 * @param {{charted?: boolean}} [options] whether there is a link to the chart of its counters
 */
export function panel(title, name, {charted = true} = {}) {
  const links = element('span', {class: 'links'});
  const chartLink = charted ? element('a', {href: addressOf('chart'), 'aria-label': `Chart: ${title}`}, 'Chart') : null;
  if (chartLink) links.append(chartLink);
  const note = element('div', {class: 'small', hidden: true});
  const body = element('div', {class: 'panel-body'});
  const heading = element('h2', {id: `overview-${name}`}, title);
  const node = element('section', {class: `panel ${name}`, 'aria-labelledby': heading.id},
    element('div', {class: 'panel-head'}, heading, links), note, body);
  return {
    node,
    body,
    links,
    /** @param {string[]} paths */
    chart: (paths) => {
      chartLink.hidden = paths.length === 0;
      setAttribute(chartLink, 'href', addressOf('chart', {path: paths}));
    },
    /** Shows why there are no numbers, if there are none. @param {import('./plan.js').Source} source @returns {boolean} */
    isSampled: (source) => {
      const isSampled = source.state === 'sampled';
      note.hidden = isSampled;
      body.hidden = !isSampled;
      if (!isSampled) replaceChildren(note, ...whyNot(source));
      return isSampled;
    },
    /** A line above the numbers. @param {Array} texts for element() */
    say: (...texts) => {
      note.hidden = texts.length === 0;
      replaceChildren(note, ...texts);
    },
  };
}

/** @param {import('./plan.js').Source} source that is not sampled @returns {Array} for element() */
export function whyNot({state, wanted, name, counterset}) {
  const of = shown.target ? 'this machine’s entry of targets' : 'the configuration';
  if (state === 'waiting') return [element('p', {class: 'dim'}, `Waiting for the first sample of ${name}.`)];
  if (state === 'failed' || state === 'absent') {
    const why = counterset.sentence ? ` ${asSentence(counterset.sentence)}` : '';
    return [element('p', null, `${name} ${state === 'failed' ? 'can’t be sampled' : 'does not exist here'}.${why}`)];
  }
  if (state === 'without') return [element('p', null, `${name} is sampled without the counters that are shown here.`)];
  const line = `countersets: ["${wanted}"]`;
  return [
    element('p', null, `${wanted} is not sampled. Add it to countersets in ${of}:`),
    element('p', {class: 'code-line'}, element('code', null, line), copyButton('Copy', line)),
  ];
}

/**
 * Numbers with their names.
 * @param {Array<{name: string, label: string, title?: string}>} items `title` explains the label
 * @returns {{node: Element, show: function(string, number|null|undefined, {kind, factor}, string|null=), place: function(string)}}
 */
export function numbers(items) {
  const places = new Map();
  const node = element('dl', {class: 'numbers'}, items.map(({name, label, title}) => {
    const value = element('dd', null, '–');
    const item = element('div', null, element('dt', {title: title ?? null}, label), value);
    places.set(name, {value, item});
    return item;
  }));
  return {
    node,
    show(name, value, unit, reason) {
      showValue(places.get(name).value, value, unit, reason);
    },
    /** Leaves out what this machine's countersets don't have. */
    keepOnly(isThere) {
      for (const [name, {item}] of places) item.hidden = !isThere(name);
    },
  };
}

/** How much of a whole is used. */
export function meter() {
  const bar = element('span');
  const node = element('div', {class: 'meter', 'aria-hidden': 'true'}, bar);
  let last = null;
  return {
    node,
    /** @param {number} part of 1 @param {string} [level] warn or bad */
    show(part, level = '') {
      const text = `${Math.round(Math.min(1, Math.max(0, part || 0)) * 200) / 2}%`;
      if (text + level === last) return;
      last = text + level;
      bar.style.setProperty('width', text);
      bar.className = level;
    },
  };
}
