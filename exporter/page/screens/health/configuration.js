// The configuration in use, and where each value comes from.

import {poll} from '../../data/api.js';
import {element, setAttribute, setText} from '../../parts/dom.js';
import {panel, searchField} from './section.js';
import {sortableTable} from './table.js';
import {matches, settingText, sourceText, wasChanged} from './words.js';
import {counted} from '../../text/sentence.js';

/** @param {Object} screen of health.js */
export function make(place, screen) {
  const {tools, body, say, fail} = panel(place, {title: 'Configuration', ofExporter: true});
  const search = searchField('Find a key or a value', (text) => note({q: text}));
  const only = element('input', {type: 'checkbox'});
  only.addEventListener('change', () => note({all: only.checked ? null : '1'}));
  tools.append(search, element('label', {class: 'tools'}, only, 'Only what differs from the defaults'));
  const none = element('p', {class: 'dim', hidden: true});
  let configuration = null;
  const table = sortableTable(body, {
    caption: 'Configuration', columns: columnsOf(() => configuration?.file), keyOf: (one) => one.key, sort: 'order',
  });
  body.append(none);

  function note(changed) {
    screen.note(changed);
    render();
  }

  function render() {
    if (!configuration) return;
    const {file, keys} = configuration;
    const wanted = keys.filter((one) => (!only.checked || wasChanged(one)) && matches([one.key, settingText(one.value)], search.value));
    say([file ?? 'no file, only defaults', `${keys.filter(wasChanged).length} of ${counted(keys.length, 'key')} set`].join(' · '));
    setText(none, wanted.length > 0 ? '' : search.value ? 'No key is like that.' : 'Everything is as the defaults have it.');
    none.hidden = wanted.length > 0;
    table.show(wanted);
  }

  return {
    read(params) {
      search.value = params.get('q') ?? '';
      only.checked = params.get('all') === null;
      render();
    },
    render,
    open(signal, ready) {
      poll('config', {}, 15, (document, error) => {
        fail(error);
        if (document) {
          configuration = document;
          configuration.keys.forEach((one, index) => (one.place = index));
        }
        render();
        ready();
      }, signal);
    },
  };
}

function columnsOf(file) {
  return [
    {name: 'order', title: 'Key', hint: 'As in the documentation', order: (one) => one.place, show: (cell, one) => setText(cell, one.key)},
    {
      name: 'value', title: 'Value', wide: true, order: (one) => settingText(one.value),
      show(cell, one) {
        const text = settingText(one.value);
        setText(cell, text ?? '–');
        setAttribute(cell, 'title', text === null ? 'The default is no single value; it follows from others.' : null);
        cell.classList.toggle('missing', text === null);
      },
    },
    {
      name: 'source', title: 'From', order: (one) => sourceText(one, file()),
      show(cell, one) {
        setText(cell, sourceText(one, file()));
        cell.classList.toggle('missing', !wasChanged(one));
      },
    },
  ];
}
