// The doctor's diagnosis of the exporter's machine: /api/v1/doctor, which takes from a second to four minutes.

import {ApiError, getDocument, pause} from './api.js';

// If the exporter doesn't say when another diagnosis will be done.
const AGAIN_SECONDS = 5;

/**
 * Throws an ApiError if there can be none, or an AbortError if `signal` said so.
 * @param {function()} waits is told that somebody else's diagnosis is waited for, since one is made at a time
 * @param {AbortSignal} signal
 */
export async function diagnose(waits, signal) {
  while (true) {
    try {
      return await getDocument('doctor', {}, {signal, patience: Infinity});
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      waits();
      await pause(1000 * (error.retryAfter ?? AGAIN_SECONDS), signal);
      signal.throwIfAborted();
    }
  }
}
