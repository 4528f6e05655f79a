// The states of a counterset, as the API names them.

/** Of a counterset: how bad it is, how it is marked (styles/parts.css), and what it means. The worst first. */
export const STATES = {
  failed: {rank: 0, mark: 'bad', text: 'failed', meaning: 'The last attempt to read it failed, and it has no values.'},
  stale: {rank: 1, mark: 'warn', text: 'stale', meaning: 'Its last values are too old to be shown as current.'},
  absent: {rank: 2, mark: 'warn', text: 'absent', meaning: 'The configuration names it, but this machine does not have it.'},
  pending: {rank: 3, mark: '', text: 'pending', meaning: 'It has not been read yet.'},
  ok: {rank: 4, mark: 'good', text: 'ok', meaning: 'Its values are fresh.'},
};

/** @param {string} status also one that this page does not know */
export function stateOf(status) {
  return STATES[status] ?? {rank: 3, mark: '', text: status, meaning: ''};
}
