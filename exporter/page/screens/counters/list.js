// The left side: all objects, or what a search has found among them.

import {element, keep, replaceChildren, setAttribute, setText} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {addressOf} from '../../shell/address.js';
import {plain} from '../../text/numbers.js';
import {hitPieces} from './groups.js';
import {amounts, showStatus} from './head.js';
import {counted} from '../../text/sentence.js';

/** @param {Element} place */
export function openList(place) {
  const results = element('div', {hidden: true});
  const sampled = element('ul', {class: 'counters-objects', 'aria-label': 'Sampled objects'});
  const others = element('ul', {class: 'counters-objects', 'aria-label': 'Objects that are not sampled'});
  const othersHead = element('h3', {hidden: true});
  const problem = element('div');
  const objects = element('div', null, problem, sampled, othersHead, others);
  let scrolledTo = null;
  let links = [];
  let shownFound = null;
  place.append(results, objects);
  place.addEventListener('keydown', walk);
  return {
    /** @param {import('./objects.js').Objects} all @param {{counterset: string|null, q: string}} state */
    showObjects(all, state) {
      results.hidden = true;
      objects.hidden = false;
      const error = all.sampled.length === 0 ? all.error : null;
      if (error) showProblem(problem, error);
      else replaceChildren(problem);
      const link = (name) => addressOf('counters', {counterset: name});
      keep(sampled, all.sampled, ({name}) => name, makeObject, (item, object) => {
        updateObject(item, object.name, link(object.name), state);
        showAmount(item, object);
      });
      if (scrolledTo !== state.counterset && all.sampled.length > 0) {
        scrolledTo = state.counterset;
        place.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest'});
      }
      othersHead.hidden = all.unsampled.length === 0;
      setText(othersHead, `Not sampled (${plain(all.unsampled.length)})`);
      keep(others, all.unsampled, ({name}) => name, makeObject, (item, object) => {
        updateObject(item, object.name, link(object.name), state);
        setText(item.querySelector('a').lastElementChild, object.costly ? 'costly' : '');
      });
    },
    /**
     * @param {{groups, query: string, error: Error|null}} found is made anew only for another one
     * @param {{counterset: string|null, counter: string|null, instance: string|null}} state which of it is shown on the right
     */
    showFound(found, state) {
      objects.hidden = true;
      results.hidden = false;
      if (found !== shownFound) {
        shownFound = found;
        links = [];
        if (found.error) showProblem(results, found.error);
        else replaceChildren(results, found.groups.map((group) => groupOf(group, found.query, links)));
      }
      for (const {node, target} of links) setAttribute(node, 'aria-current', isCurrent(target, state) ? 'true' : null);
    },
    first: () => (results.hidden ? objects : results).querySelector('a'),
  };
}

function makeObject() {
  return element('li', null, element('a', null, element('span', {class: 'clip'}), element('span', {class: 'dim small'})));
}

function updateObject(item, name, href, state) {
  const link = item.firstElementChild;
  setAttribute(link, 'href', href);
  setAttribute(link, 'aria-current', state.counterset === name ? 'true' : null);
  setAttribute(link, 'title', name);
  setText(link.firstElementChild, name);
}

// What is as it should be has no mark here, so that the rest is seen.
function showAmount(item, {status, counters, instances}) {
  const node = item.querySelector('a').lastElementChild;
  if (status !== 'ok') return showStatus(node, status);
  setAttribute(node, 'class', 'dim small');
  setText(node, instances === null ? '' : plain(instances));
  setAttribute(node, 'title', amounts(counters, instances));
}

// Of a group alone, the one that is shown; of an object's counter or instance, it must be that one.
function isCurrent(target, state) {
  if (target.counterset !== state.counterset) return false;
  if (target.counter) return target.counter === state.counter;
  if (target.instance) return target.instance === state.instance;
  return !state.counter;
}

function groupOf(group, query, links) {
  const link = (more, ...content) => {
    const target = {counterset: group.name, ...more};
    const node = element('a', {href: addressOf('counters', {q: query, ...target})}, content);
    links.push({node, target});
    return node;
  };
  return element('section', {class: 'counters-group'},
    element('h3', null, link({}, marked(group.name, query))),
    element('ul', null,
      group.counters.map((counter) => element('li', null,
        link({counter: counter.name}, marked(counter.name, query), local(counter, query)),
        counter.help ? element('p', {class: 'dim small'}, marked(counter.help, query)) : null)),
      group.instances.map((name) => element('li', null,
        link({instance: name}, element('span', {class: 'dim'}, 'instance '), marked(name, query)))),
      group.moreInstances > 0 ? element('li', {class: 'dim small'}, `and ${counted(group.moreInstances, 'more instance')}`) : null));
}

function local({name, localName}, query) {
  return localName && localName !== name ? element('span', {class: 'dim'}, ' ', marked(localName, query)) : null;
}

/** @returns {Array<string|Element>} the text, with its hits in <mark> */
function marked(text, query) {
  return hitPieces(text, query).map((piece, index) => (index % 2 === 1 ? element('mark', null, piece) : piece));
}

// With the arrow keys from one link to the next; Tab works as well.
function walk(event) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = [...event.currentTarget.querySelectorAll('a')].filter((link) => link.offsetParent !== null);
  const at = links.indexOf(document.activeElement);
  const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
