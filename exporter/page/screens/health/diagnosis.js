// The doctor: examines the machine when it is asked to, and says what it found and what helps.

import {ApiError, shown} from '../../data/api.js';
import {diagnose} from '../../data/doctor.js';
import {element, replaceChildren, setText} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {turnOf} from '../../parts/turn.js';
import {clock, parseTime} from '../../text/times.js';
import {duration} from '../../text/numbers.js';
import {findingsOf, isFinding} from './findings.js';
import {showRepair} from '../../parts/repair.js';
import {panel, showState} from './section.js';
import {asSentence, counted} from '../../text/sentence.js';

const WHAT_IT_DOES = 'The doctor reads every counterset once, each provider in a process of its own, and looks at the account, the ' +
  'addresses and the facts. It takes from a second to four minutes and changes nothing.';
const OF_A_TARGET = 'For another machine, run winperf_exporter doctor --target where the exporter runs.';

/** @param {{signal: AbortSignal}} screen of health.js */
export function make(place, {signal}) {
  const {tools, body, say} = panel(place, {title: 'Diagnosis', ofExporter: true});
  const start = element('button', {type: 'button', class: 'primary', onclick: examine}, 'Examine this machine');
  const stop = element('button', {type: 'button', hidden: true, onclick: () => running?.abort()}, 'Stop waiting');
  const progress = element('output', {class: 'dim'});
  tools.append(start, stop, progress);
  const result = element('div');
  body.append(element('p', {class: 'dim'}, WHAT_IT_DOES), element('p', {class: 'dim', hidden: shown.target === null}, OF_A_TARGET), result);
  say('');
  let running = null;
  let diagnosis = null;

  async function examine() {
    if (running) return;
    running = turnOf(signal);
    const begin = Date.now();
    let why = 'Examining';
    const tell = () => setText(progress, `${why}: ${duration(Math.round((Date.now() - begin) / 1000))}`);
    const timer = setInterval(tell, 1000);
    busy(true);
    tell();
    try {
      diagnosis = await diagnose(() => (why = 'Waiting for the diagnosis of somebody else'), running.signal);
      render();
    } catch (error) {
      if (error instanceof ApiError) showProblem(result, error);
      else if (error.name !== 'AbortError') throw error;
    } finally {
      clearInterval(timer);
      running.abort();
      running = null;
      setText(progress, '');
      busy(false);
    }
  }

  function busy(is) {
    start.disabled = is;
    stop.hidden = !is;
  }

  function render() {
    if (!diagnosis) return;
    const {made_at: made, duration_seconds: took, summary} = diagnosis;
    const counts = Object.entries(summary).filter(([, count]) => count > 0).map(([status, count]) => `${count} ${status}`);
    say(`Made at ${clock(parseTime(made))} in ${duration(took)} · countersets: ${counts.join(', ') || 'none'}`);
    const all = findingsOf(diagnosis);
    const bad = all.filter(isFinding);
    const good = all.filter((one) => !isFinding(one));
    replaceChildren(result,
      element('h3', null, bad.length > 0 ? counted(bad.length, 'finding') : 'Nothing is wrong'),
      element('ul', {class: 'health-findings'}, bad.map(findingOf)),
      good.length > 0 && element('details', null,
        element('summary', null, `${counted(good.length, 'check')} that found nothing`),
        element('ul', {class: 'health-findings well'}, good.map(wellOf))));
  }

  return {read() {}, render};
}

function wellOf({name, text}) {
  return element('li', null, element('strong', null, name), ` ${text}`);
}

function findingOf({name, mark, status, text, evidence, repair}) {
  const state = element('span');
  showState(state, {mark, text: status});
  const steps = element('div');
  showRepair(steps, repair);
  return element('li', {class: 'health-why'}, element('p', null, state, ' ', element('strong', null, name)),
    element('p', {class: 'sentence'}, asSentence(text)), evidence.length > 0 && element('ul', {class: 'dim small health-evidence'},
      evidence.map((one) => element('li', null, one))), steps);
}
