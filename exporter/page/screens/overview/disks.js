// Each disk: how busy it is, how long its answers take, what waits, what it moves, and how much its volumes have left.

import {element, keep, setAttribute, setText} from '../../parts/dom.js';
import {spark} from '../../parts/spark.js';
import {showValue} from '../../parts/value.js';
import {pathOf} from '../../text/paths.js';
import {bytes, exact, unitOf} from '../../text/numbers.js';
import {cards} from './cards.js';
import {meter, numbers, panel, whyNot} from './panel.js';
import {SECONDS} from './timeline.js';
import {activeTime, diskTitle, instancesOf, isOn, valueOf, volumesOf} from './values.js';

const PERCENT = {kind: 'percent', factor: 1};
const MOST = 64;

const ITEMS = [
  {name: 'Avg. Disk sec/Transfer', label: 'Latency', title: 'Avg. Disk sec/Transfer'},
  {name: 'Current Disk Queue Length', label: 'Queue', title: 'Current Disk Queue Length'},
  {name: 'Disk Read Bytes/sec', label: 'Read', title: 'Disk Read Bytes/sec'},
  {name: 'Disk Write Bytes/sec', label: 'Write', title: 'Disk Write Bytes/sec'},
];

/** @param {AbortSignal} signal */
export function disksPanel(signal) {
  const frame = panel('Disks', 'disks');
  const list = element('ul', {class: 'cards'});
  const shown = cards(list, signal, diskCard);
  const more = element('p', {class: 'dim small'});
  const others = element('div', {class: 'other-volumes', hidden: true}, element('h3', null, 'Other volumes'));
  const otherList = element('ul', {class: 'volumes'});
  others.append(otherList);
  frame.body.append(list, more, others);
  return {
    node: frame.node,
    plan({sources: {disks, volumes}}) {
      if (!frame.isSampled(disks)) return;
      // Windows without the driver of PhysicalDisk's counters, or a configuration without it: the volumes stand for the disks.
      if (disks.name !== disks.wanted) frame.say(...whyNot({...disks, state: 'missing'}));
      else if (volumes.state !== 'sampled') frame.say(...whyNot(volumes));
      const charted = ['% Idle Time', 'Avg. Disk sec/Transfer'].filter((counter) => disks.counters.has(counter));
      frame.chart(charted.map((counter) => pathOf(disks.name, '*', counter)));
    },
    show({series, sources: {disks, volumes}}) {
      if (disks.state !== 'sampled') return;
      const block = disks.paths.length > 0 ? firstBlock(series, disks) : undefined;
      const all = instancesOf(block);
      const left = volumes.state === 'sampled' ? volumesOf(series, volumes) : [];
      const taken = new Set();
      const items = all.slice(0, MOST).map(({key, name}) => {
        const own = left.filter((volume) => isOn(volume.name, name));
        for (const volume of own) taken.add(volume.name);
        return {key, name, volumes: own};
      });
      shown.show(items, series, disks);
      setText(more, all.length > MOST ? `and ${all.length - MOST} more` : '');
      const rest = left.filter((volume) => !taken.has(volume.name));
      others.hidden = rest.length === 0;
      showVolumes(otherList, rest);
    },
  };
}

function firstBlock(series, disks) {
  return ['% Idle Time', ...ITEMS.map(({name}) => name)].map((counter) => series.block(disks.name, counter)).find(Boolean);
}

function diskCard(signal) {
  const title = element('h3', {class: 'clip'});
  const active = element('span', {class: 'card-number'}, '–');
  const line = spark({colour: 'disk', most: 100, seconds: SECONDS}, signal);
  const small = numbers(ITEMS);
  const list = element('ul', {class: 'volumes'});
  const card = element('li', {class: 'card'},
    title,
    element('p', null, active, element('span', {class: 'dim small'}, 'active')),
    element('div', {class: 'card-line'}, line.node), small.node, list);
  const update = ({key, name, volumes}, series, source) => {
    small.keepOnly((counter) => source.counters.has(counter));
    setText(title, diskTitle(name));
    setAttribute(title, 'title', name);
    const idle = valueOf(series, source.name, '% Idle Time', key);
    showValue(active, activeTime(idle.value), PERCENT, idle.reason);
    if (idle.line) line.draw(idle.block.times, idle.line.values.map(activeTime));
    for (const item of ITEMS) {
      const {value, reason} = valueOf(series, source.name, item.name, key);
      small.show(item.name, value, unitOf(item.name), reason);
    }
    showVolumes(list, volumes);
  };
  return {node: card, update};
}

function showVolumes(list, volumes) {
  keep(list, volumes, ({name}) => name, volumeRow, (row, volume) => row.update(volume));
}

function volumeRow() {
  const name = element('span', {class: 'clip'});
  const bar = meter();
  const text = element('span', {class: 'number'});
  const row = element('li', null, name, bar.node, text);
  row.update = (volume) => {
    setText(name, volume.name);
    setAttribute(name, 'title', volume.name);
    const isKnown = Number.isFinite(volume.free);
    bar.show(isKnown ? 1 - volume.free / 100 : 0, isKnown && volume.free < 5 ? 'bad' : isKnown && volume.free < 10 ? 'warn' : '');
    const size = volume.freeBytes !== null ? bytes(volume.freeBytes) : isKnown ? `${Math.round(volume.free)} %` : '–';
    setText(text, volume.totalBytes !== null ? `${size} free of ${bytes(volume.totalBytes)}` : `${size} free`);
    setAttribute(text, 'title', isKnown ? `${exact(volume.free)} % free` : null);
  };
  return row;
}
