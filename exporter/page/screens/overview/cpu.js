// The processors: Task Manager's number, the last 15 minutes, and each processor as a small line.

import {element, setText} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {addressOf, goTo} from '../../shell/address.js';
import {pathOf} from '../../text/paths.js';
import {readable, unitOf} from '../../text/numbers.js';
import {apiTime} from '../../text/times.js';
import {cores} from './cores.js';
import {numbers, panel} from './panel.js';
import {timeline} from './timeline.js';
import {instancesOf, valueOf} from './values.js';

const PERCENT = {kind: 'percent', factor: 1};

const OF_TOTAL = [
  {name: '% Privileged Time', label: 'Kernel', title: '% Privileged Time'},
  {name: '% User Time', label: 'User', title: '% User Time'},
  {name: '% Interrupt Time', label: 'Interrupts', title: '% Interrupt Time'},
  {name: '% DPC Time', label: 'DPCs', title: '% DPC Time'},
];
const OF_SYSTEM = [
  {name: 'Processor Queue Length', label: 'Queue', title: 'Processor Queue Length: threads that wait for a processor'},
  {name: 'Processes', label: 'Processes'},
  {name: 'Threads', label: 'Threads'},
  {name: 'Context Switches/sec', label: 'Switches', title: 'Context Switches/sec'},
];

/** @param {AbortSignal} signal */
export function cpuPanel(signal) {
  const frame = panel('CPU', 'cpu');
  frame.links.prepend(element('a', {href: addressOf('processes')}, 'Processes'));
  const big = element('span', {class: 'big'}, '–');
  const what = element('span', {class: 'dim small'});
  const line = timeline({
    name: 'CPU, the last 15 minutes',
    hint: 'Click to see who used the CPU at that time.',
    click: (time) => goTo('processes', {at: apiTime(time)}),
  }, signal);
  const small = numbers([...OF_TOTAL, ...OF_SYSTEM]);
  const grid = cores(signal);
  frame.body.append(element('p', {class: 'headline'}, big, what), ...line.node, small.node, grid.node);

  return {
    node: frame.node,
    plan({sources: {cpu, system}}) {
      if (!frame.isSampled(cpu)) return;
      setText(what, cpu.main === '% Processor Utility' ? '% Processor Utility, as in Task Manager' : cpu.main);
      small.keepOnly((name) => cpu.counters.has(name) || system.counters.has(name));
      frame.chart([pathOf(cpu.name, '_Total', '% Processor Time'), pathOf(cpu.name, '_Total', cpu.main)]
        .filter((path, index, all) => all.indexOf(path) === index && (index > 0 || cpu.counters.has('% Processor Time'))));
    },
    show({series, sources: {cpu, system}, end, marks}) {
      if (cpu.state !== 'sampled') return;
      const total = valueOf(series, cpu.name, cpu.main, '_Total');
      // Utility exceeds 100 when processors run faster than their base frequency; Task Manager shows 100 then.
      const shown = Number.isFinite(total.value) ? Math.min(100, total.value) : total.value;
      showValue(big, shown, PERCENT, total.reason);
      if (total.line) {
        const values = total.line.values.map((value) => (Number.isFinite(value) ? Math.min(100, value) : value));
        line.show([{times: total.block.times, values}],
          [{label: 'CPU', colour: 'cpu', unit: PERCENT, fill: true}],
          {end, most: 100, marks, summary: Number.isFinite(shown) ? `now ${readable(shown, PERCENT)}` : ''});
      }
      for (const {name} of OF_TOTAL) {
        const {value, reason} = valueOf(series, cpu.name, name, '_Total');
        small.show(name, value, PERCENT, reason);
      }
      for (const {name} of OF_SYSTEM) {
        const {value, reason} = valueOf(series, system.name, name);
        small.show(name, value, unitOf(name), reason);
      }
      const block = series.block(cpu.name, cpu.main);
      grid.show(block?.times ?? [], instancesOf(block));
    },
  };
}
