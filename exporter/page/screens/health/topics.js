// The topics of facts: which are read, how old they are, and why one is not.

import {poll} from '../../data/api.js';
import {element, setText} from '../../parts/dom.js';
import {showValue} from '../../parts/value.js';
import {duration} from '../../text/numbers.js';
import {panel, showState} from './section.js';
import {sortableTable} from './table.js';
import {asSentence, counted} from '../../text/sentence.js';

const NUMBER = {kind: 'number', factor: 1};
const SECONDS = {kind: 'seconds', factor: 1};

export function make(place) {
  const {body, say, fail} = panel(place, {title: 'Facts', ofExporter: true});
  const none = element('p', {class: 'dim', hidden: true},
    'No topic is read. Add some to facts in the configuration, such as facts: [os, disks].');
  const table = sortableTable(body, {caption: 'Facts', columns: COLUMNS, keyOf: (one) => one.topic, sort: 'state', detail: DETAIL});
  body.append(none);
  let topics = null;

  function render() {
    if (!topics) return;
    const failed = topics.filter((one) => !one.success).length;
    say([counted(topics.length, 'topic'), failed > 0 ? `${failed} cannot be read` : null].filter(Boolean).join(' · '));
    none.hidden = topics.length > 0;
    table.show(topics);
  }

  return {
    read: render,
    render,
    // The document has all rows, so that it is not asked for more often.
    open(signal, ready) {
      poll('facts', {}, 15, (document, error) => {
        fail(error);
        if (document) topics = document.topics.map(({rows, ...topic}) => ({...topic, rows: rows?.length ?? null}));
        render();
        ready();
      }, signal);
    },
  };
}

const isWhole = (one) => one.success && !(one.problems?.length > 0);

const COLUMNS = [
  {name: 'topic', title: 'Topic', order: (one) => one.topic, show: (cell, one) => setText(cell, one.topic)},
  {
    name: 'state', title: 'State', hint: 'The worst first', order: (one) => (!one.success ? 0 : isWhole(one) ? 2 : 1),
    show: (cell, one) => showState(cell, !one.success ? {mark: 'bad', text: 'failed'} : isWhole(one) ? {mark: 'good', text: 'ok'} :
      {mark: 'warn', text: 'in part', meaning: 'Something of it could not be read.'}),
  },
  {
    name: 'rows', title: 'Rows', number: true, order: (one) => one.rows,
    show: (cell, one) => showValue(cell, one.rows, NUMBER, 'it was not read'),
  },
  {
    name: 'age', title: 'Age', number: true, order: (one) => one.age_seconds,
    show(cell, one) {
      showValue(cell, one.age_seconds, SECONDS, 'it was not read');
      if (Number.isFinite(one.age_seconds)) setText(cell, duration(Math.round(one.age_seconds)));
    },
  },
  {
    name: 'cost', title: 'Last read', hint: 'How long the last attempt took', number: true, order: (one) => one.duration_seconds,
    show: (cell, one) => showValue(cell, one.duration_seconds, SECONDS, null),
  },
];

const DETAIL = {
  of: (one) => !isWhole(one),
  make: () => element('div', {class: 'health-why'}, element('p', {class: 'sentence'})),
  update(node, one) {
    const why = [one.error, ...(one.problems ?? [])].filter(Boolean);
    setText(node.firstElementChild, why.map(asSentence).join(' '));
  },
};
