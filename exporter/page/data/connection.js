// Whether the exporter answers, as the last question found it. The shell shows it; streams and questions say it.

/** `state` is ok, lost (no answer) or refused (401, 403, or the exporter is not ready). `since` is in milliseconds. */
export const connection = {state: 'ok', status: 200, why: '', since: Date.now()};

const watchers = new Set();

/** Calls `watcher` when the state or its reason changes. Returns a function that ends that. */
export function watchConnection(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function become(state, status, why) {
  if (connection.state === state && connection.status === status && connection.why === why) return;
  if (connection.state !== state) connection.since = Date.now();
  Object.assign(connection, {state, status, why});
  for (const watcher of [...watchers]) watcher();
}

export function answered() {
  become('ok', 200, '');
}

/** @param {number} status 0 if there was no answer @param {string} why a sentence */
export function refused(status, why) {
  become(status === 401 || status === 403 ? 'refused' : 'lost', status, why);
}
