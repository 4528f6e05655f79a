// The panel of a section: its heading, what it says about all of it, its tools, its error, and what it shows.

import {shown} from '../../data/api.js';
import {element, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';

/**
 * @param {Element} place
 * @param {{title: string, ofExporter?: boolean}} options `ofExporter`: the section is about the exporter, whichever machine is shown
 * @returns {{tools: Element, body: Element, say: function(string), fail: function(ApiError|null)}} `say` sets the line beside the
 *     heading; `fail` shows an error above the last data, or takes it away
 */
export function panel(place, {title, ofExporter = false}) {
  const line = element('p', {class: 'dim small'}, 'Reading…');
  const tools = element('div', {class: 'tools'});
  const problem = element('div');
  const body = element('div', {class: 'health-body'});
  place.append(element('div', {class: 'panel-head'}, element('h2', null, title), line),
    ofExporter && shown.target !== null ? element('p', {class: 'dim'}, `Of the exporter itself, not of ${shown.target}.`) : '',
    tools, problem, body);
  let said = null;
  let hasData = false;
  return {
    tools,
    body,
    say(text) {
      hasData = true;
      setText(line, text);
    },
    fail(error) {
      // A lost connection is told below the header; the last data stay.
      const detail = error && !(error.status === 0 && hasData) ? error.detail : null;
      if (detail === said) return;
      said = detail;
      if (detail === null) replaceChildren(problem);
      else showProblem(problem, error);
      if (detail !== null && !hasData) setText(line, '');
    },
  };
}

/** A field for text to search for. @param {function(string)} change */
export function searchField(label, change) {
  const input = element('input', {type: 'search', placeholder: label, 'aria-label': label, spellcheck: 'false', autocomplete: 'off'});
  input.addEventListener('input', () => change(input.value));
  return input;
}

/** A choice of one. @param {Array<[string, string]>} choices value and text @param {function(string)} change */
export function choice(label, choices, change) {
  const select = element('select', null, choices.map(([value, text]) => element('option', {value}, text)));
  select.addEventListener('change', () => change(select.value));
  return {node: element('label', {class: 'tools'}, label, select), select};
}

/** A mark with its word: a state. @param {{mark: string|null, text: string, meaning?: string}} state without a mark if that is null */
export function showState(cell, {mark, text, meaning}) {
  let node = cell.firstElementChild;
  if (!node) cell.append(node = element('span'));
  const wanted = mark === null ? '' : mark ? `state ${mark}` : 'state';
  if (node.className !== wanted) node.className = wanted;
  setText(node, text);
  setAttribute(node, 'title', meaning || null);
}
