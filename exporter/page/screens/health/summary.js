// What is to be seen first: whether the countersets are well, which providers were blamed, whether the exporter is ready, and
// how far its recorder reaches.

import {ask, ApiError, pause, shown, whenVisible} from '../../data/api.js';
import {machine, machineNow} from '../../data/machine.js';
import {element, keep, setText} from '../../parts/dom.js';
import {addressOf} from '../../shell/address.js';
import {bytes, duration, plain} from '../../text/numbers.js';
import {clock, dayAndClock, parseTime, wholeTime} from '../../text/times.js';
import {showState} from './section.js';
import {blame, countByStatus, verdict} from './words.js';
import {counted} from '../../text/sentence.js';
import {stateOf} from '../../text/states.js';

const READY_SECONDS = 15;

/** @param {Object} screen of health.js */
export function makeSummary(place, screen) {
  const heading = element('h2');
  const counts = element('ul', {class: 'health-counts'});
  const facts = element('dl', {class: 'health-facts'});
  const blamed = element('ul', {class: 'health-blamed'});
  place.append(heading, counts, blamed, facts);
  let ready = null;
  followReady((state) => {
    ready = state;
    render();
  }, screen.signal);

  function render() {
    const {countersets, error} = screen.countersets;
    if (countersets) showState(heading, verdict(countersets));
    else if (error) showState(heading, {mark: 'bad', text: 'The countersets cannot be shown'});
    else showState(heading, {mark: null, text: 'Reading…'});
    keep(counts, Object.entries(countByStatus(countersets ?? [])), ([name]) => name, makeCount,
      (item, [name, count]) => updateCount(item, name, countersets ? count : null));
    // Providers are those of the exporter's own machine.
    const providers = shown.target === null ? screen.workers.providers : null;
    const guilty = (providers ?? []).filter((one) => one.harms > 0 || one.state === 'quarantine');
    keep(blamed, guilty, (one) => one.provider, makeBlame, updateBlame);
    keep(facts, factsOf(ready), ({name}) => name, makeFact, updateFact);
  }
  return {render};
}

function makeCount([name]) {
  const link = element('a', {href: addressOf('health', {section: 'countersets', state: name})}, element('span'), ' ', element('b'));
  return element('li', null, link);
}

function updateCount(item, name, count) {
  const link = item.firstElementChild;
  const {mark, text, meaning} = stateOf(name);
  showState(link.firstElementChild, {mark: count > 0 ? mark : '', text, meaning});
  setText(link.lastElementChild, count === null ? '–' : plain(count));
  link.classList.toggle('none', !count);
}

function makeBlame() {
  return element('li', null, element('span'), ' ', element('a', {href: addressOf('health', {section: 'workers'})}, 'What to do'));
}

function updateBlame(item, one) {
  // Without how long it is in quarantine, which would change the line with each answer.
  setText(item.firstElementChild, blame(one).join(' '));
}

function makeFact() {
  return element('div', null, element('dt'), element('dd'));
}

function updateFact(node, {title, mark, text, hover}) {
  setText(node.firstElementChild, title);
  showState(node.lastElementChild, {mark, text, meaning: hover});
}

function factsOf(ready) {
  const own = shown.target === null ? '' : ' of the exporter';
  const facts = [{name: 'ready', title: `State${own}`, ...(ready ?? {mark: '', text: '…'})}];
  const {exporter, recorder} = machine ?? {};
  if (exporter) {
    facts.push({name: 'version', title: 'Version', mark: null, text: exporter.version, hover: `${exporter.os} ${exporter.arch}`});
    if (exporter.revision) facts.push({name: 'revision', title: 'Revision', mark: null, text: exporter.revision});
  }
  if (recorder === null) facts.push({name: 'recorder', title: 'Recorder', mark: null, text: 'nothing is recorded of this machine'});
  if (recorder) facts.push({name: 'recorder', title: 'Recorder', mark: null, ...recorderText(recorder)});
  return facts;
}

function recorderText({oldest, bytes: used, budget_bytes: budget}) {
  const size = `${bytes(used)} of ${bytes(budget)}`;
  if (!oldest) return {text: `${size}, nothing so far`};
  const time = parseTime(oldest);
  const reach = Math.max(0, machineNow() - time);
  const since = reach < 43_200_000 ? clock(time) : dayAndClock(time);
  return {text: `${size}, back to ${since} (${duration(Math.round(reach / 1000))})`, hover: wholeTime(time)};
}

// Whether load balancers and probes are told that the exporter works: /-/ready.
async function followReady(show, signal) {
  while (!signal.aborted) {
    try {
      await ask(new URL('-/ready', document.baseURI), {signal});
      show({mark: 'good', text: 'ready', hover: '/-/ready says so'});
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      const state = error.status === 503 ? {mark: 'warn', text: 'not ready'} : {mark: '', text: 'unknown'};
      show({...state, hover: error.detail});
    }
    await pause(1000 * READY_SECONDS, signal);
    await whenVisible(signal);
  }
}

/** For the index: how much is wrong behind a link; null if nothing is. */
export function badge(name, screen) {
  if (name === 'countersets') {
    if (screen.countersets.error) return {count: '!', meaning: screen.countersets.error.detail};
    const {failed, stale, absent} = countByStatus(screen.countersets.countersets ?? []);
    const wrong = failed + stale + absent;
    return wrong > 0 ? {count: wrong, meaning: `${counted(wrong, 'counterset')} with a problem`} : null;
  }
  if (name === 'workers' && shown.target === null) {
    const wrong = (screen.workers.providers ?? []).filter((one) => one.harms > 0 || one.error).length;
    return wrong > 0 ? {count: wrong, meaning: `${counted(wrong, 'provider')} with a problem`} : null;
  }
  return null;
}
