// What an object is: its help, state, where it is read from, how often, and what is wrong with it.

import {element, setAttribute, setText} from '../../parts/dom.js';
import {duration} from '../../text/numbers.js';
import {showRepair} from '../../parts/repair.js';
import {asSentence, capital, counted} from '../../text/sentence.js';
import {stateOf} from '../../text/states.js';

const PATHS = {registry: 'the registry', perflib: 'PerfLib V2'};

/** @param {string} name of the counterset */
export function openHead(name) {
  const status = element('span', {class: 'state'});
  const help = element('p', {class: 'counters-help', hidden: true});
  const facts = element('p', {class: 'dim small'}, '\u00a0');
  const why = element('p');
  const steps = element('div');
  const repair = element('div', {class: 'counters-wrong', hidden: true}, why, steps);
  return {
    node: element('div', null,
      element('div', {class: 'panel-head'}, element('h2', {id: 'counters-name'}, name), status), help, facts, repair),
    /** @param {Object} entry of /api/v1/countersets, or of one of them */
    show(entry) {
      showStatus(status, entry.status);
      setText(facts, factsOf(entry) || '\u00a0');
      repair.hidden = !entry.sentence && entry.repair.length === 0;
      setText(why, capital(asSentence(entry.sentence ?? '')));
      showRepair(steps, entry.repair);
    },
    showHelp(text) {
      help.hidden = !text;
      setText(help, text ?? '');
    },
  };
}

function factsOf({object, name, path, object_index: index, interval_seconds: interval, age_seconds: age, duration_seconds: took}) {
  const parts = [];
  if (object && object !== name) parts.push(`object ${object}`);
  if (path) parts.push(`read through ${PATHS[path] ?? path}${index === null || index === undefined ? '' : `, index ${index}`}`);
  if (interval) parts.push(`each ${duration(interval)}`);
  if (age !== null && age !== undefined) parts.push(`last ${age < 1 ? 'just now' : `${duration(Math.round(age))} ago`}`);
  if (took && age !== null) parts.push(`took ${duration(took)}`);
  return capital(parts.join(' · '));
}

/** "23 counters, 7 instances" */
export function amounts(counters, instances) {
  return instances === null ? counted(counters, 'counter') : `${counted(counters, 'counter')}, ${counted(instances, 'instance')}`;
}

/** @param {Element} node @param {string} status of a counterset */
export function showStatus(node, status) {
  const {mark, text, meaning} = stateOf(status);
  setAttribute(node, 'class', `state ${mark}`.trim());
  setAttribute(node, 'title', meaning || null);
  setText(node, text);
}
