// Long work in several tasks, so that the page answers to mouse and keyboard meanwhile.

import {pause} from './api.js';

const LONG_MS = 12;

/**
 * Acts on each item, in their order, and lets other tasks in where that takes long.
 * @param {Iterable} items
 * @param {function(any)} act
 * @param {AbortSignal} signal ends it
 */
export async function inTasks(items, act, signal) {
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > LONG_MS) {
      await pause(0, signal);
      since = performance.now();
    }
    if (signal.aborted) return;
    act(item);
  }
}
