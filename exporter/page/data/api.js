// Questions to the exporter's API (docs/api.md), of this machine or of the target that the page shows.

import {answered, refused} from './connection.js';

// Relative to the page, so that it works below any prefix of a proxy.
const ROOT = new URL('api/v1/', document.baseURI);
const AGAIN_MS = 5000;
const PATIENCE_MS = 60_000;
const LOST = 'The exporter does not answer.';
const OTHER = 'What answers is not the exporter, perhaps a page to log in. Reload the page.';

/** Of which machine the screens are. `target` is null for the exporter's own. */
export const shown = {target: null, module: null};

/** An answer that is none. `status` is 0 if there was no answer at all. `detail` is a sentence for people. */
export class ApiError extends Error {
  /** @param {{nearest, reason, mostValues, retryAfter}} [more] `mostValues`: an answer may have so many, and this one would have more */
  constructor(status, detail, {nearest = null, reason = null, mostValues = null, retryAfter = null} = {}) {
    super(detail);
    this.status = status;
    this.detail = detail;
    this.nearest = nearest;
    this.reason = reason;
    this.mostValues = mostValues;
    this.retryAfter = retryAfter;
  }
}

/** The routes that show another machine with `target`; others are always about the exporter's own. */
const OF_A_MACHINE = /^(machine|countersets(\/.*)?|counters|names|sample|families|range|top|events|recording|annotations)$/;

/**
 * @param {string} route below /api/v1
 * @param {Object} [parameters] a list is repeated; null and undefined are left out; with a `target`, also null, the question is
 *     about that machine instead of the one that is shown
 */
export function apiUrl(route, parameters = {}) {
  const url = new URL(route, ROOT);
  const isOfShown = OF_A_MACHINE.test(route) && !('target' in parameters);
  const all = isOfShown ? {...parameters, target: shown.target, module: shown.module} : parameters;
  for (const [name, value] of Object.entries(all)) {
    if (value === null || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, one);
  }
  return url;
}

/**
 * A response that is good. Throws an ApiError, or an AbortError if `signal` said so.
 * @param {URL} url
 * @param {RequestInit & {patience: number}} [options] `patience`: how long an answer may take to begin, in milliseconds; without an
 *     end, a connection that has died unnoticed would never be told
 */
export async function ask(url, {patience = PATIENCE_MS, signal, ...options} = {}) {
  const late = new AbortController();
  const timer = patience === Infinity ? null : setTimeout(() => late.abort(), patience);
  let response;
  try {
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    response = await fetch(url, {cache: 'no-cache', ...options, signal: either});
  } catch (error) {
    if (signal?.aborted) throw error;
    refused(0, LOST);
    throw new ApiError(0, LOST);
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) {
    answered();
    return response;
  }
  throw await errorOf(response);
}

async function errorOf(response) {
  const text = await response.text().catch(() => '');
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {
    // Not from the API: a proxy's page, or a plain sentence.
  }
  const isSentence = !response.headers.get('Content-Type')?.includes('html') && text.length < 500;
  const detail = problem.detail ?? (isSentence && text.trim() ? text.trim() : `HTTP status ${response.status}`);
  if (response.status === 401) refused(401, 'The exporter asks for a user name and a password.');
  else if (response.status === 403) refused(403, detail);
  else if (response.status === 502 || response.status === 504) refused(response.status, `The proxy says: ${detail}`);
  else answered();
  return new ApiError(response.status, detail, {
    nearest: problem.nearest ?? null,
    reason: problem.reason ?? null,
    mostValues: problem.most_values ?? null,
    retryAfter: Number(response.headers.get('Retry-After')) || null,
  });
}

/** The document of a route. @param {{signal: AbortSignal, patience: number}} [options] as of ask() */
export async function getDocument(route, parameters, options = {}) {
  const response = await ask(apiUrl(route, parameters), options);
  try {
    return await response.json();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    const why = error instanceof SyntaxError ? OTHER : LOST;
    refused(0, why);
    throw new ApiError(0, why);
  }
}

/** Waits, but not longer than until `signal` says stop. */
export function pause(milliseconds, signal) {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}

/**
 * What `act` gives, or throws. While there is no answer at all, which the shell says, it is called again.
 * @param {function(): Promise} act asks the API
 * @param {AbortSignal} signal
 */
export async function untilAnswered(act, signal) {
  while (true) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) throw error;
    }
    await pause(AGAIN_MS, signal);
    await whenVisible(signal);
    signal.throwIfAborted();
  }
}

/**
 * Asks again and again until `signal` says stop, and gives each document, or error, to `show`. While the tab is hidden, nothing
 * is asked.
 * @param {number|function(): number} seconds between an answer and the next question
 */
export async function poll(route, parameters, seconds, show, signal) {
  while (!signal.aborted) {
    try {
      const document = await getDocument(route, typeof parameters === 'function' ? parameters() : parameters, {signal});
      if (!signal.aborted) show(document, null);
    } catch (error) {
      if (error.name === 'AbortError' || signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      show(null, error);
    }
    await pause(1000 * (typeof seconds === 'function' ? seconds() : seconds), signal);
    await whenVisible(signal);
  }
}

/** Returns when the tab is seen, or `signal` says stop. */
export function whenVisible(signal) {
  if (!document.hidden || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal?.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal?.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal?.addEventListener('abort', look);
  });
}
