// A counter of the table: its value now, a line of the last minutes, and why there is no value.

import {machineNow} from '../../data/machine.js';
import {lastValue} from '../../data/series.js';
import {element, setAttribute, setText} from '../../parts/dom.js';
import {whyMissing} from '../../parts/reasons.js';
import {spark} from '../../parts/spark.js';
import {showValue} from '../../parts/value.js';
import {addressOf} from '../../shell/address.js';
import {clock} from '../../text/times.js';
import {unitOfCounter} from './units.js';

export const SPARK_SECONDS = 900;

/**
 * @param {{name: string, local_name: string|undefined, help: string|null}} counter of countersets/NAME
 * @param {{basket, toggle: function(string)}} actions `toggle` explains the counter, or no longer
 * @param {AbortSignal} signal
 */
export function makeRow(counter, {basket, toggle}, signal) {
  const unit = unitOfCounter(counter);
  const look = {colour: 'cpu', seconds: SPARK_SECONDS};
  const line = spark(look, signal);
  const box = element('input', {type: 'checkbox', 'aria-label': `Choose ${counter.name} for a chart`});
  const button = element('button', {type: 'button', class: 'quiet counters-name', title: counter.help || null,
    onclick: () => toggle(counter.name)}, counter.name);
  const why = element('span', {class: 'dim small counters-why'});
  const value = element('td', {class: 'number counters-now'});
  const link = element('a', {'aria-label': `Chart ${counter.name}`}, 'Chart');
  const local = counter.local_name && counter.local_name !== counter.name ? counter.local_name : null;
  let path = null;
  box.addEventListener('change', () => basket.put(path, box.checked));

  const row = {
    node: element('tr', null,
      element('td', {class: 'counters-choose'}, box),
      element('th', {scope: 'row'},
        element('div', {class: 'counters-names'}, button, local ? element('span', {class: 'dim'}, local) : null, why)),
      value, element('td', {class: 'counters-spark'}, line.node), element('td', {class: 'counters-link'}, link)),
    showPath(shown, isExplained) {
      path = shown;
      setAttribute(button, 'aria-expanded', String(isExplained));
      setAttribute(link, 'href', addressOf('chart', {path}));
      row.showChosen();
    },
    showChosen() {
      box.checked = basket.has(path);
      box.disabled = !box.checked && basket.isFull();
    },
    /** @param {number[]} times @param {import('../../data/series.js').Line|null} shown @param {boolean} isCurrent */
    showValue(times, shown, isCurrent) {
      const last = isCurrent && shown ? lastValue(shown) : undefined;
      showValue(value, last, unit, shown?.reason);
      const reason = reasonOf(times, shown, isCurrent, last);
      setText(why, reason);
      setAttribute(why, 'title', reason || null);
      if (reason) setAttribute(value, 'title', reason);
      const values = shown?.values ?? [];
      // Percent are drawn against 100, unless there are more, as of several processors.
      look.most = unit.kind === 'percent' ? Math.max(100, ...values.filter(Number.isFinite)) : undefined;
      // The line of what is no longer read ends where it ended, and not at the right.
      if (isCurrent) line.draw(times, values);
      else line.draw([...times, machineNow()], [...values, undefined]);
    },
  };
  return row;
}

function reasonOf(times, shown, isCurrent, last) {
  if (Number.isFinite(last)) return '';
  if (!isCurrent) return times.length > 0 ? `Not read since ${clock(times.at(-1))}.` : '';
  if (last === null) return whyMissing(shown.reason);
  return times.length > 0 ? 'The instance is not there.' : '';
}
