// Each network adapter: what it receives and sends, and how much of its bandwidth that is.

import {element, setAttribute, setText} from '../../parts/dom.js';
import {spark} from '../../parts/spark.js';
import {pathOf} from '../../text/paths.js';
import {unitOf} from '../../text/numbers.js';
import {showValue} from '../../parts/value.js';
import {cards} from './cards.js';
import {numbers, panel} from './panel.js';
import {SECONDS} from './timeline.js';
import {instancesOf, sums, usedBandwidth, valueOf, visibleName} from './values.js';

const RECEIVED = 'Bytes Received/sec';
const SENT = 'Bytes Sent/sec';
const BANDWIDTH = 'Current Bandwidth';
const PERCENT = {kind: 'percent', factor: 1};
const MOST = 64;

const ITEMS = [
  {name: RECEIVED, label: 'Received', title: RECEIVED},
  {name: SENT, label: 'Sent', title: SENT},
  {name: BANDWIDTH, label: 'Bandwidth', title: BANDWIDTH},
];

/** @param {AbortSignal} signal */
export function adaptersPanel(signal) {
  const frame = panel('Network', 'network');
  const list = element('ul', {class: 'cards'});
  const shown = cards(list, signal, adapterCard);
  const more = element('p', {class: 'dim small'});
  frame.body.append(list, more);
  return {
    node: frame.node,
    plan({sources: {adapters}}) {
      if (!frame.isSampled(adapters)) return;
      const charted = [RECEIVED, SENT].filter((counter) => adapters.counters.has(counter));
      frame.chart(charted.map((counter) => pathOf(adapters.name, '*', counter)));
    },
    show({series, sources: {adapters}}) {
      if (adapters.state !== 'sampled') return;
      const block = [RECEIVED, SENT, BANDWIDTH].map((counter) => series.block(adapters.name, counter)).find(Boolean);
      const all = instancesOf(block);
      // Tunnels are there on every machine and carry nothing on most.
      const items = [...all.filter(({name}) => !isTunnel(name)), ...all.filter(({name}) => isTunnel(name))].slice(0, MOST);
      shown.show(items, series, adapters);
      setText(more, all.length > MOST ? `and ${all.length - MOST} more` : '');
    },
  };
}

function isTunnel(name) {
  return /^(isatap\.|teredo|6to4|microsoft ip-https)/i.test(name);
}

function adapterCard(signal) {
  const title = element('h3', {class: 'clip'});
  const used = element('span', {class: 'card-number'}, '–');
  const line = spark({colour: 'network', seconds: SECONDS}, signal);
  const small = numbers(ITEMS);
  const card = element('li', {class: 'card'},
    title,
    element('p', null, used, element('span', {class: 'dim small'}, 'of the bandwidth')),
    element('div', {class: 'card-line'}, line.node), small.node);
  const update = ({key, name}, series, source) => {
    small.keepOnly((counter) => source.counters.has(counter));
    setText(title, visibleName(name));
    setAttribute(title, 'title', name);
    const [received, sent, bandwidth] = [RECEIVED, SENT, BANDWIDTH].map((counter) => valueOf(series, source.name, counter, key));
    small.show(RECEIVED, received.value, unitOf(RECEIVED), received.reason);
    small.show(SENT, sent.value, unitOf(SENT), sent.reason);
    small.show(BANDWIDTH, bandwidth.value, unitOf(BANDWIDTH), bandwidth.reason);
    showValue(used, usedBandwidth(received.value, sent.value, bandwidth.value), PERCENT, received.reason);
    if (received.line && sent.line) line.draw(received.block.times, sums(received.line.values, sent.line.values));
    else if (received.line ?? sent.line) line.draw((received.block ?? sent.block).times, (received.line ?? sent.line).values);
  };
  return {node: card, update};
}
