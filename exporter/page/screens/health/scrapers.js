// Who scrapes /metrics.

import {poll} from '../../data/api.js';
import {element, setAttribute, setText} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {duration} from '../../text/numbers.js';
import {clock, dayAndClock, parseTime, wholeTime} from '../../text/times.js';
import {panel} from './section.js';
import {sortableTable} from './table.js';
import {counted} from '../../text/sentence.js';

const NUMBER = {kind: 'number', factor: 1};
const SECONDS = {kind: 'seconds', factor: 1};

export function make(place) {
  const {body, say, fail} = panel(place, {title: 'Scrapers', ofExporter: true});
  const none = element('div', {hidden: true},
    element('p', null, '/metrics has not been scraped since the exporter was started.'),
    element('p', {class: 'dim'}, 'Check that scrape_configs of Prometheus lists this machine; it shows errors under Status, Targets.'));
  const tablePlace = element('div');
  body.append(none, tablePlace);
  const table = sortableTable(tablePlace, {
    caption: 'Scrapers', columns: COLUMNS, keyOf: (one) => `${one.address}\u0000${one.user_agent}`, sort: '-last',
  });
  let scrapers = null;

  function render() {
    if (!scrapers) return;
    say(counted(scrapers.length, 'client'));
    none.hidden = scrapers.length > 0;
    tablePlace.hidden = scrapers.length === 0;
    table.show(scrapers);
  }

  return {
    read: render,
    render,
    open(signal, ready) {
      poll('scrapers', {}, 5, (document, error) => {
        fail(error);
        if (document) scrapers = document.scrapers;
        render();
        ready();
      }, signal);
    },
  };
}

function numbers(name, title, field, unit, hint, reason) {
  return {name, title, hint, number: true, order: (one) => one[field], show: (cell, one) => showValue(cell, one[field], unit, reason)};
}

const COLUMNS = [
  {name: 'address', title: 'Address', order: (one) => one.address, show: (cell, one) => setText(cell, one.address)},
  {name: 'agent', title: 'Program', wide: true, order: (one) => one.user_agent, show: showAgent},
  {
    name: 'last', title: 'Last scrape', order: (one) => parseTime(one.last_scrape),
    show(cell, one) {
      const time = parseTime(one.last_scrape);
      setText(cell, `${one.age_seconds < 43200 ? clock(time) : dayAndClock(time)}, ${duration(Math.round(one.age_seconds))} ago`);
      setAttribute(cell, 'title', wholeTime(time));
    },
  },
  numbers('interval', 'Every', 'interval_seconds', SECONDS, 'Between its last two scrapes', 'there was only one scrape'),
  numbers('scrapes', 'Scrapes', 'scrapes', NUMBER, 'Since the start'),
  {
    ...numbers('early', 'Too early', 'early_scrapes', NUMBER,
      'Scrapes that came sooner than a counterset is sampled: they had the same values again, so rates jump'),
    show(cell, one) {
      showValue(cell, one.early_scrapes, NUMBER, null);
      cell.classList.toggle('loud', one.early_scrapes > 0);
    },
  },
  {
    name: 'format', title: 'Format', order: (one) => one.format,
    show: (cell, one) => setText(cell, one.compressed ? `${one.format}, compressed` : one.format),
  },
];

function showAgent(cell, one) {
  setText(cell, one.user_agent ?? '–');
  setAttribute(cell, 'title', one.user_agent === null ? 'It does not say what it is.' : null);
  cell.classList.toggle('missing', one.user_agent === null);
}
