// What a counter is, how it is called elsewhere, and its values of all instances.

import {ApiError, getDocument} from '../../data/api.js';
import {copyButton} from '../../parts/copy.js';
import {element, replaceChildren, setText} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {whyMissing} from '../../parts/reasons.js';
import {exact} from '../../text/numbers.js';
import {instanceText, pathOf} from '../../text/paths.js';
import {clock, parseTime} from '../../text/times.js';
import {openInstances} from './instances.js';
import {capital} from '../../text/sentence.js';

/**
 * @param {Element} place
 * @param {{counterset: string, counter: Object, instance: string|null}} what
 * @param {{choose: function(string)}} actions `choose` shows another instance
 * @param {AbortSignal} signal
 * @returns {function()} reads the values anew: there is another sample
 */
export function openExplanation(place, {counterset, counter, instance}, {choose}, signal) {
  const path = pathOf(counterset, instance, counter.name);
  const now = element('p', null, '\u00a0');
  const names = element('div', {class: 'counters-copies'}, copyLine('perfmon path', path));
  const problem = element('div');
  const instances = instance === null ? null : openInstances(counter, choose);
  replaceChildren(place, element('div', {class: 'counters-explained'},
    element('p', null, counter.help || 'The provider describes it with no help text.'),
    element('p', {class: 'dim small'}, `${counter.type_name} (${counter.type})`,
      counter.formula ? [' = ', element('code', null, counter.formula)] : null,
      counter.scale ? `; perfmon draws it times 10^${counter.scale}` : null),
    now, names, problem, instances?.node));

  showNames(names, path, signal);
  let isAsking = false;

  function show(document) {
    replaceChildren(problem);
    const set = document.countersets.find(({name}) => name === counterset);
    const column = set?.counters.find(({name}) => name === counter.name);
    if (!column) return setText(now, set?.error ?? 'There is no sample of it.');
    const at = instance === null ? 0 : set.instances.findIndex((one) => instanceText(one) === instance);
    const isCurrent = set.success && !set.stale;
    const time = isCurrent ? null : clock(parseTime(set.sampled_at));
    setText(now, isCurrent ? capital(nowText(column, at)) : `Not read since ${time}. Then: ${nowText(column, at)}`);
    instances?.show(time, set.instances.map((identity, index) => ({
      name: instanceText(identity), value: column.cooked[index], raw: column.raw[index], reason: column.reasons?.[index] ?? null,
    })));
  }

  async function read() {
    if (isAsking || signal.aborted) return;
    isAsking = true;
    try {
      const document = await getDocument('sample', {format: 'columns', counterset, counter: counter.name}, {signal});
      if (!signal.aborted) show(document);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      showProblem(problem, error);
    } finally {
      isAsking = false;
    }
  }
  read();
  return read;
}

// The numbers as they are, for computing by hand.
function nowText(column, at) {
  if (at < 0) return 'The instance is not there.';
  const value = column.cooked[at];
  const parts = [value === null ? whyMissing(column.reasons?.[at]) : `exact value ${exact(value)}`, `raw value ${grouped(column.raw[at])}`];
  if (column.base?.[at] !== undefined) parts.push(`base ${grouped(column.base[at])}`);
  return parts.join(' · ');
}

// A raw value of 8 bytes comes as a text.
function grouped(raw) {
  if (raw === null || raw === undefined) return 'none';
  return /^-?\d+$/.test(String(raw)) ? BigInt(raw).toLocaleString() : String(raw);
}

async function showNames(place, path, signal) {
  let document;
  try {
    document = await getDocument('names', {path}, {signal});
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    const problem = element('div');
    showProblem(problem, error);
    place.append(problem);
    return;
  }
  const metrics = document.counters.flatMap((counter) => counter.metrics);
  replaceChildren(place, copyLine('perfmon path', path), metrics.map(metricLines),
    metrics.length === 0 ? element('p', {class: 'dim small'}, 'No metric has it; the API and the page do.') : null,
    copyLine('Configuration', document.configuration));
}

function metricLines(metric) {
  const series = metric.series[0];
  const promql = series ? series.promql : metric.promql;
  const remarks = [metric.type];
  if (promql === metric.name) remarks.push('also its PromQL');
  if (!metric.on_page) remarks.push('not on /metrics with this configuration');
  if (!series) remarks.push('no series of this instance');
  if (promql === null) remarks.push('no query gives the number of perfmon from this metric alone');
  return [
    copyLine('Metric', metric.name, remarks.join('; ')),
    promql === null || promql === metric.name ? null : copyLine('PromQL', promql),
  ];
}

function copyLine(label, text, remark = null) {
  return element('div', {class: 'counters-copy'},
    element('span', {class: 'dim small'}, label), element('pre', null, text.trimEnd()), copyButton('Copy', text),
    remark ? element('span', {class: 'dim small counters-remark'}, remark) : null);
}
