// What ends sooner than its screen: the details of an object until another one is chosen.

/** @param {AbortSignal} signal which ends it in any case @returns {AbortController} leaves nothing at `signal` when it has ended */
export function turnOf(signal) {
  const turn = new AbortController();
  if (signal.aborted) turn.abort();
  else signal.addEventListener('abort', () => turn.abort(), {signal: turn.signal});
  return turn;
}
