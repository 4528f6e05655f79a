// Which machine is shown, and what every screen wants to know of it: /api/v1/machine, asked once a minute.

import {poll, shown} from './api.js';
import {setMachineOffset} from '../text/times.js';

/** The last document, or null. */
export let machine = null;
const watchers = new Set();

/** Calls `watcher` now, if the machine is known, and whenever it is read again. Returns a function that ends that. */
export function watchMachine(watcher) {
  watchers.add(watcher);
  if (machine) watcher(machine);
  return () => watchers.delete(watcher);
}

let following = null;

/** Follows another machine from now on. @param {string|null} target @param {string|null} module of its entry */
export function showMachine(target, module) {
  if (following && shown.target === target && shown.module === module) return;
  following?.abort();
  following = new AbortController();
  Object.assign(shown, {target, module});
  machine = null;
  setMachineOffset(null);
  poll('machine', {}, () => (machine ? 60 : 2), (document) => {
    if (!document) return;
    machine = document;
    setMachineOffset(document.utc_offset_seconds ?? null);
    for (const watcher of [...watchers]) watcher(document);
  }, following.signal);
}
