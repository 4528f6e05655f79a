// Values as they are sampled: the server-sent events of /api/v1/events. Read with fetch() instead of EventSource, which hides
// why it was refused and can't continue after an event of its own choice.

import {ApiError, apiUrl, ask, pause, whenVisible} from './api.js';
import {answered, connection, refused} from './connection.js';

const PAUSES_SECONDS = [1, 2, 5, 10];
// So often an exporter that has just started may be without a sample.
const STARTING_FAILURES = 3;
// The exporter says something each 15 s, however seldom it samples. A connection that is silent for longer is dead.
const SILENCE_MS = 25_000;
// A hidden tab keeps its stream for so long; then it gives its connection to others and catches up later, as after a cut.
const HIDDEN_MS = 60_000;

/**
 * Follows paths until `signal` says stop. After a cut it continues where it was, with what the recorder remembers.
 * @param {string[]} paths at most 50
 * @param {{event: function(Object), lost: function(string), error: function(ApiError)}} tell `event` gets each document;
 *     `lost` the reason why samples are missing from here on; `error` why there is no stream, each time that it is tried
 * @param {AbortSignal} signal
 */
export async function follow(paths, tell, signal) {
  let lastId = null;
  let failures = 0;
  while (!signal.aborted) {
    const turn = new AbortController();
    const end = () => turn.abort();
    signal.addEventListener('abort', end);
    const unwatch = leaveWhenHidden(turn);
    try {
      const headers = lastId === null ? {} : {'Last-Event-ID': lastId};
      const response = await ask(apiUrl('events', {path: paths}), {signal: turn.signal, headers});
      await read(response, turn, (event) => {
        failures = 0;
        if (event.id !== null) lastId = event.id;
        tellEvent(event, tell);
      });
      if (!signal.aborted && !turn.signal.aborted) refused(0, 'The exporter closed the connection.');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError) {
        // Such as that the exporter has as many streams as it may have. What is said for all of the page is not said again, and
        // that there is no sample yet only if it stays so.
        if (connection.state === 'ok' && (error.status !== 503 || failures >= STARTING_FAILURES)) tell.error(error);
      } else if (!turn.signal.aborted) {
        refused(0, 'The connection to the exporter was lost.');
      }
    } finally {
      unwatch();
      signal.removeEventListener('abort', end);
    }
    if (!document.hidden) await pause(1000 * PAUSES_SECONDS[Math.min(failures++, PAUSES_SECONDS.length - 1)], signal);
    await whenVisible(signal);
  }
}

function leaveWhenHidden(turn) {
  let timer = null;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => turn.abort(), HIDDEN_MS);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

function tellEvent(event, tell) {
  let document;
  try {
    document = JSON.parse(event.data);
  } catch {
    return;
  }
  if (event.name === 'lost') tell.lost(document.reason ?? '');
  else tell.event(document);
}

async function read(response, turn, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const lines = new EventLines(take);
  let timer = null;
  try {
    while (true) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        refused(0, 'The exporter has been silent for too long.');
        turn.abort();
      }, SILENCE_MS);
      const {done, value} = await reader.read();
      if (done) return;
      answered();
      lines.add(value);
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}

/** Takes the text of a stream apart, in pieces as they come, as the HTML standard says. */
export class EventLines {
  #rest = '';
  #id = null;
  #name = '';
  #data = [];
  #take;

  /** @param {function({id: string|null, name: string, data: string})} take each whole event */
  constructor(take) {
    this.#take = take;
  }

  add(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) this.#line(line);
  }

  #line(line) {
    if (line === '') {
      if (this.#data.length > 0) this.#take({id: this.#id, name: this.#name || 'message', data: this.#data.join('\n')});
      this.#name = '';
      this.#data = [];
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
  }
}
