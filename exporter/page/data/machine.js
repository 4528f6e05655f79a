// Which machine is shown, and what every screen wants to know of it: /api/v1/machine, asked once a minute.

import {poll, shown} from './api.js';
import {parseTime, setMachineOffset} from '../text/times.js';

/** The last document, or null. */
export let machine = null;
const watchers = new Set();

// How far the clock of the exporter's machine is ahead of the browser's; less than this is the time that the answer took.
const SAME_CLOCK_MS = 2000;
let aheadMs = 0;

/** The time of the exporter's machine, as far as it is known: what the recorder has is of its clock. */
export function machineNow() {
  return Date.now() + aheadMs;
}

function compareClocks({time}) {
  const ahead = parseTime(time ?? '') - Date.now();
  aheadMs = Math.abs(ahead) > SAME_CLOCK_MS ? ahead : 0;
}

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
    compareClocks(document);
    setMachineOffset(document.utc_offset_seconds ?? null);
    for (const watcher of [...watchers]) watcher(document);
  }, following.signal);
}
