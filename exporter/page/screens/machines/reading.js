// Asks for the state of each machine again and again, a few at a time, so that hundreds of them disturb neither the exporter nor
// the page.

import {ApiError, getDocument, pause, whenVisible} from '../../data/api.js';
import {numbersOf, pathsOf, stateOf} from './state.js';

const AT_A_TIME = 4;
const PAUSE_MS = 10_000;

/**
 * @typedef {{key: string, target: string|null, module: string|null, labels: Object}} Machine `target` is null for the exporter's own
 * @typedef {{state, why, ok, bad, age, cpu, memory}} Reading as in state.js
 * @param {function(): Machine[]} machines
 * @param {function(Machine, Reading)} tell for each answer
 * @param {function()} whole after each of them has answered
 * @param {AbortSignal} signal
 */
export async function readMachines(machines, tell, whole, signal) {
  while (!signal.aborted) {
    const waiting = [...machines()];
    const next = async () => {
      for (let machine = waiting.shift(); machine && !signal.aborted; machine = waiting.shift()) {
        const reading = await readOne(machine, signal);
        if (reading && !signal.aborted) tell(machine, reading);
      }
    };
    await Promise.all(Array.from({length: AT_A_TIME}, next));
    if (signal.aborted) return;
    whole();
    await pause(PAUSE_MS, signal);
    await whenVisible(signal);
  }
}

async function readOne({target, module}, signal) {
  const of = {target, module};
  try {
    const document = await getDocument('countersets', of, {signal});
    const paths = pathsOf(document.countersets);
    const sample = paths.length > 0 ? await sampleOf(paths, of, signal) : null;
    return {...stateOf(document, null), ...numbersOf(sample)};
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof ApiError)) throw error;
    return {...stateOf(null, error), cpu: null, memory: null};
  }
}

async function sampleOf(paths, of, signal) {
  try {
    return await getDocument('sample', {...of, format: 'columns', path: paths}, {signal});
  } catch (error) {
    if (error instanceof ApiError) return null;  // such as a configuration that samples other counters of them
    throw error;
  }
}
