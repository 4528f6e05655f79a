// The objects of the machine: those that are sampled, with their state, and those that discovery found beside them.

import {poll, shown} from '../../data/api.js';

const STATE_SECONDS = 5;
const DISCOVERY_SECONDS = 60;

/**
 * @typedef {{sampled: Array, unsampled: Array<{name: string, costly: boolean, active: boolean}>,
 *     isRead: boolean, isWhole: boolean, error: Error|null}} Objects `isRead` when the first answer is there, or an error; `isWhole`
 *     when discovery has answered, too
 * @param {function(Objects)} tell whenever they were read
 * @param {AbortSignal} signal
 */
export function followObjects(tell, signal) {
  let objects = {sampled: [], unsampled: [], isRead: false, isWhole: false, error: null};
  let isDiscovered = shown.target !== null;
  const become = (changed) => {
    objects = {...objects, ...changed};
    objects.isWhole = objects.isRead && isDiscovered;
    tell(objects);
  };
  poll('countersets', {}, STATE_SECONDS, (document, error) => {
    if (document) become({sampled: document.countersets, isRead: true, error: null});
    else become({isRead: true, error});
  }, signal);
  // Discovery is of the exporter's own machine.
  if (shown.target !== null) return;
  poll('discovery', {}, DISCOVERY_SECONDS, (document) => {
    isDiscovered = true;
    // Without an answer, only the suggestions are missing.
    become(document ? {unsampled: document.countersets.filter(({sampled}) => !sampled)} : {});
  }, signal);
}
