// The doctor, on request: /api/v1/doctor tries each provider, which takes from a second to four minutes.

import {ApiError, shown} from '../../data/api.js';
import {diagnose} from '../../data/doctor.js';
import {element, setText} from '../../parts/dom.js';
import {turnOf} from '../../parts/turn.js';
import {asSentence, counted} from '../../text/sentence.js';
import {clock, parseTime} from '../../text/times.js';
import {ofDiagnosis} from './findings.js';

/**
 * @param {function(import('./findings.js').Finding[])} show gets what was found
 * @param {AbortSignal} signal
 * @returns {{tools: Element, said: Element}} the button, and a line that says what came of it
 */
export function examination(show, signal) {
  const button = element('button', {type: 'button'}, 'Examine this machine');
  // Seconds are for the eye: read out, they would not let anything else be heard.
  const seconds = element('span', {class: 'dim small', 'aria-hidden': 'true'});
  const tools = element('span', {class: 'tools'}, seconds, button);
  const said = element('p', {class: 'small examined', role: 'status'});
  // Of another machine there is no diagnosis over HTTP.
  if (shown.target) return {tools: element('span'), said};
  let running = null;
  button.addEventListener('click', async () => {
    if (running) {
      running.abort();
      return;
    }
    running = turnOf(signal);
    setText(button, 'Stop waiting');
    await examine(running.signal);
    running.abort();
    running = null;
    setText(button, 'Examine this machine');
  });

  async function examine(stop) {
    const start = Date.now();
    const tick = setInterval(() => setText(seconds, `${Math.floor((Date.now() - start) / 1000)} s`), 1000);
    setText(said, 'Examining every provider. This takes from a second to four minutes.');
    try {
      const diagnosis = await diagnose(() => setText(said, 'Somebody else is examining this machine. Waiting for that to end.'), stop);
      const findings = ofDiagnosis(diagnosis);
      show(findings);
      const what = findings.length > 0 ? `found ${counted(findings.length, 'thing')} wrong` : 'found nothing wrong';
      const all = counted(diagnosis.countersets.length, 'counterset');
      setText(said, `The examination of ${all} at ${clock(parseTime(diagnosis.made_at))} ${what}.`);
    } catch (error) {
      if (error instanceof ApiError) setText(said, asSentence(error.detail));
      else if (error.name === 'AbortError') setText(said, '');
      else throw error;
    } finally {
      clearInterval(tick);
      setText(seconds, '');
    }
  }
  return {tools, said};
}
