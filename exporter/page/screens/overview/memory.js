// The memory: how much of it is in use and promised, the caches and pools, and whether pages are read from the disk.

import {element, setText} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {pathOf} from '../../text/paths.js';
import {bytes, unitOf} from '../../text/numbers.js';
import {meter, numbers, panel} from './panel.js';
import {timeline} from './timeline.js';
import {instancesOf, valueOf} from './values.js';

const BYTES = {kind: 'bytes', factor: 1};
const PERCENT = {kind: 'percent', factor: 1};

// Task Manager's "Cached": what is in memory and could be given away at once, and what has to be written before.
const CACHED = ['Modified Page List Bytes', 'Standby Cache Reserve Bytes', 'Standby Cache Normal Priority Bytes',
  'Standby Cache Core Bytes'];

const ITEMS = [
  {name: 'committed', label: 'Committed', title: 'Committed Bytes: memory and page files that are promised'},
  {name: 'limit', label: 'Commit limit', title: 'Commit Limit'},
  {name: 'cached', label: 'Cached', title: 'Modified and standby pages, as in Task Manager'},
  {name: 'available', label: 'Available', title: 'Available Bytes'},
  {name: 'paged', label: 'Paged pool', title: 'Pool Paged Bytes'},
  {name: 'nonpaged', label: 'Non-paged pool', title: 'Pool Nonpaged Bytes'},
  {name: 'reads', label: 'Page reads', title: 'Page Reads/sec: reads from the disk because a page was not in memory'},
  {name: 'paging', label: 'Page file', title: '% Usage of the page file that is used most'},
];
const COUNTER_OF = {committed: 'Committed Bytes', limit: 'Commit Limit', available: 'Available Bytes', paged: 'Pool Paged Bytes',
  nonpaged: 'Pool Nonpaged Bytes', reads: 'Page Reads/sec'};

/** @param {AbortSignal} signal */
export function memoryPanel(signal) {
  const frame = panel('Memory', 'memory');
  const big = element('span', {class: 'big'}, '–');
  const what = element('span', {class: 'dim small'});
  const bar = meter();
  const line = timeline({name: 'Memory, the last 15 minutes'}, signal);
  const commit = meter();
  const small = numbers(ITEMS);
  const share = element('p', {class: 'dim small'});
  frame.body.append(element('p', {class: 'headline'}, big, what), bar.node, ...line.node, small.node,
    element('div', {class: 'share'}, commit.node, share));

  return {
    node: frame.node,
    plan({sources: {memory, paging}}) {
      if (!frame.isSampled(memory)) return;
      const has = (counter) => memory.counters.has(counter);
      small.keepOnly((name) => {
        if (name === 'paging') return paging.state === 'sampled';
        if (name === 'cached') return has('Cache Bytes') || CACHED.every(has);
        return has(COUNTER_OF[name]);
      });
      const charted = ['Available Bytes', 'Committed Bytes', 'Page Reads/sec'].filter(has);
      frame.chart(charted.map((counter) => pathOf(memory.name, null, counter)));
    },
    show({series, sources: {memory, paging}, machine, end, marks}) {
      if (memory.state !== 'sampled') return;
      const get = (counter) => valueOf(series, memory.name, counter);
      const available = get('Available Bytes');
      const total = machine?.memory?.physical_total_bytes ?? null;
      const isUse = total !== null && memory.counters.has('Available Bytes');
      showUse(available, total, isUse);
      for (const [name, counter] of Object.entries(COUNTER_OF)) {
        const {value, reason} = get(counter);
        small.show(name, value, name === 'reads' ? unitOf(counter) : BYTES, reason);
      }
      const cached = cachedOf(get, memory.counters);
      small.show('cached', cached.value, BYTES, cached.reason);
      const files = paging.state === 'sampled' ? instancesOf(series.block(paging.name, '% Usage')) : [];
      const used = files.map((file) => file.line.values.at(-1)).filter(Number.isFinite);
      small.show('paging', used.length > 0 ? Math.max(...used) : null, PERCENT, null);
      showCommitted(get('Committed Bytes').value, get('Commit Limit').value);
      if (!available.line) return;
      const values = isUse ? available.line.values.map((value) => (Number.isFinite(value) ? total - value : value)) : available.line.values;
      line.show([{times: available.block.times, values}],
        [{label: isUse ? 'In use' : 'Available', colour: 'memory', unit: BYTES, fill: true}],
        {end, most: isUse ? total : undefined, marks, summary: `now ${what.textContent}`});
    },
  };

  function showUse({value, reason}, total, isUse) {
    const used = isUse && Number.isFinite(value) ? total - value : isUse ? null : value;
    showValue(big, used, BYTES, reason);
    bar.node.hidden = !isUse;
    if (!isUse) return setText(what, 'available; how much there is in all is not known');
    const part = Number.isFinite(used) ? used / total : 0;
    bar.show(part);
    setText(what, `in use of ${bytes(total)}${Number.isFinite(used) ? `, ${Math.round(part * 100)} %` : ''}`);
  }

  function showCommitted(value, limit) {
    const isKnown = Number.isFinite(value) && limit > 0;
    const part = isKnown ? value / limit : 0;
    commit.show(part, part >= 0.95 ? 'bad' : part >= 0.9 ? 'warn' : '');
    setText(share, isKnown ? `${Math.round(part * 100)} % of the commit limit` : '');
  }
}

function cachedOf(get, counters) {
  if (!CACHED.every((counter) => counters.has(counter))) return get('Cache Bytes');
  const parts = CACHED.map(get);
  const missing = parts.find(({value}) => !Number.isFinite(value));
  return missing ?? {value: parts.reduce((sum, {value}) => sum + value, 0), reason: null};
}
