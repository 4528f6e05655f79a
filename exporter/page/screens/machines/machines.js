// The screen "machines": the exporter's own machine and its targets, with their state. Each opens the same screens.

import {getDocument, poll, shown} from '../../data/api.js';
import {machine as known} from '../../data/machine.js';
import {copyButton} from '../../parts/copy.js';
import {element, replaceChildren, setText} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {ready} from '../../shell/ready.js';
import {plain} from '../../text/numbers.js';
import {readMachines} from './reading.js';
import {openTable} from './table.js';
import {placeOf, wordOf} from './state.js';
import {counted} from '../../text/sentence.js';

const TARGETS_SECONDS = 60;
const OWN = {key: 'own', target: null, module: null, labels: {}};
const SNIPPET = `targets:
  - host: [srv-1, srv-2.example.com]
    interval: 30s
recorder:
  targets: ['*']
`;

/** @type {import('../index.js').open} */
export function open(place, {params, note, signal}) {
  const summary = element('p', {class: 'machines-summary', role: 'status'}, '\u00a0');
  const filter = element('input', {type: 'search', id: 'machines-q', placeholder: 'Name or label', spellcheck: 'false',
    autocomplete: 'off'});
  const problem = element('div');
  const tablePlace = element('div', {class: 'scroll-x'});
  const help = element('div');
  place.append(element('section', {class: 'panel', 'aria-labelledby': 'machines-title'},
    element('div', {class: 'panel-head'},
      element('h2', {id: 'machines-title'}, 'Machines'),
      element('div', {class: 'tools'}, element('label', {for: 'machines-q'}, 'Filter'), filter)),
    summary, problem, tablePlace), help);

  let targets = null;
  let ownName = shown.target === null ? known?.name ?? null : null;
  const readings = new Map();
  const machines = () => [{...OWN, name: ownName ?? 'This machine'}, ...(targets ?? [])];
  const table = openTable(tablePlace, {q: params.get('q') ?? '', sort: params.get('sort') ?? ''}, note);
  filter.value = params.get('q') ?? '';
  filter.addEventListener('input', () => table.filter(filter.value));
  const show = () => {
    table.show(machines(), readings);
    setText(summary, targets === null ? '\u00a0' : summaryOf(targets, readings));
  };

  nameOfOwn(signal).then((name) => {
    ownName = name ?? ownName;
    show();
  });
  let reading = false;
  poll('targets', {}, TARGETS_SECONDS, (document, error) => {
    if (document) targets = document.map(targetOf);
    if (error) showProblem(problem, error);
    else replaceChildren(problem);
    if (targets?.length === 0) showHelp(help);
    else replaceChildren(help);
    show();
    if (!reading) {
      reading = true;
      readMachines(machines, (machine, answer) => {
        readings.set(machine.key, answer);
        show();
      }, () => {
        const keys = new Set(machines().map(({key}) => key));
        for (const key of readings.keys()) if (!keys.has(key)) readings.delete(key);
        table.order();
        ready('machines', signal);
      }, signal);
    }
  }, signal);

  return (changed) => {
    filter.value = changed.get('q') ?? '';
    table.filter(filter.value);
  };
}

// Of Prometheus' service discovery.
function targetOf({labels}) {
  const {__param_target: target, __param_module: module} = labels;
  const isShown = ([name]) => !name.startsWith('__') && name !== 'instance' && name !== 'module';
  const shownLabels = Object.fromEntries(Object.entries(labels).filter(isShown));
  return {key: `${target}\u0000${module}`, target, module: module === 'default' ? null : module, labels: shownLabels, name: target};
}

async function nameOfOwn(signal) {
  const document = await getDocument('machine', {target: null}, {signal}).catch(() => null);
  return document?.name ?? null;
}

function summaryOf(targets, readings) {
  if (targets.length === 0) return 'No targets: only the machine of the exporter is read.';
  const counts = new Map();
  for (const {key} of targets) {
    const state = readings.get(key)?.state ?? 'asked';
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const states = [...counts].sort(([one], [other]) => placeOf(one) - placeOf(other));
  return `${counted(targets.length, 'target')}: ` + states.map(([state, count]) => `${plain(count)} ${wordOf(state)[1]}`).join(', ');
}

function showHelp(place) {
  if (place.firstChild) return;
  place.append(element('section', {class: 'panel machines-help'},
    element('h2', null, 'Read other machines, too'),
    element('p', null, 'The exporter can read the counters of Windows machines on which it is not installed. Name them in the ' +
      'configuration; the recorder keeps their past if it names them as well:'),
    element('div', {class: 'machines-snippet'}, element('pre', null, SNIPPET.trimEnd()), copyButton('Copy', SNIPPET)),
    element('p', null, 'Whether a machine can be read, and what is missing on it:'),
    element('div', {class: 'machines-snippet'}, element('pre', null, 'winperf_exporter doctor --target srv-1'),
      copyButton('Copy', 'winperf_exporter doctor --target srv-1'))));
}
