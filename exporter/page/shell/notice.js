// The line below the header that says what keeps the page from being live: a lost connection, a refused access.

import {connection, watchConnection} from '../data/connection.js';
import {element, replaceChildren} from '../parts/dom.js';
import {asSentence} from '../text/sentence.js';
import {clock} from '../text/times.js';

// A restart of the exporter takes so long; what is mended sooner is not worth a line.
const PATIENCE_MS = 1500;

/** @param {Element} place is a live region */
export function showConnection(place) {
  let timer = null;
  const show = () => {
    clearTimeout(timer);
    if (connection.state === 'ok') {
      replaceChildren(place);
      return;
    }
    const wait = connection.state === 'lost' ? PATIENCE_MS - (Date.now() - connection.since) : 0;
    if (wait > 0) {
      timer = setTimeout(show, wait);
      return;
    }
    replaceChildren(place, element('div', {class: `notice ${connection.state}`}, textOf()));
  };
  watchConnection(show);
  show();
}

function textOf() {
  const why = connection.why;
  if (connection.status === 401) {
    return [element('strong', null, 'A password is needed. '), `${why} Reload the page to enter them.`];
  }
  if (connection.status === 403) return [element('strong', null, 'Not allowed. '), asSentence(why)];
  return [element('strong', null, `No connection since ${clock(connection.since)}. `), `${asSentence(why)} Trying again; what is missed ` +
    'meanwhile is read from the recorder.'];
}
