// The bar at the top: which machine, the screens, and in which zone times are shown.

import {machine, watchMachine} from '../data/machine.js';
import {shown} from '../data/api.js';
import {element, keep, setAttribute, setText} from '../parts/dom.js';
import {duration} from '../text/numbers.js';
import {chooseZone, chosenZone, clock, knowsMachineZone, watchZone, wholeTime, ZONES} from '../text/times.js';
import {addressOf} from './address.js';

const ZONE_NAMES = {browser: 'here', machine: 'of the machine', utc: 'UTC'};

/** @param {Array<{name: string, title: string}>} screens */
export function showHeader(screens) {
  const showTarget = showFacts();
  showZone();
  const nav = document.getElementById('nav');
  return (current) => {
    showTarget(current);
    keep(nav, screens, (screen) => screen.name, (screen) => element('a', {'data-screen': screen.name}, screen.title), (link, screen) => {
      setAttribute(link, 'href', addressOf(screen.name));
      setAttribute(link, 'aria-current', screen.name === current ? 'page' : null);
    });
  };
}

function showFacts() {
  const name = document.getElementById('machine-name');
  const facts = document.getElementById('machine-facts');
  const texts = element('span', {class: 'clip'});
  const back = element('a', {hidden: true}, 'Back to the exporter\'s machine');
  facts.append(back, texts);
  const show = () => {
    // A target that was never read has no document.
    const title = machine?.name ?? shown.target ?? location.hostname;
    setText(name, title);
    setAttribute(name, 'title', title);
    const parts = shown.target === null ? [] : [shown.module === null ? 'Target' : `Target, module ${shown.module}`];
    if (machine) parts.push(...factsOf(machine));
    const text = parts.filter(Boolean).join(' · ');
    setText(texts, text);
    setAttribute(texts, 'title', text);
  };
  watchMachine(show);
  return (current) => {
    back.hidden = shown.target === null;
    setAttribute(back, 'href', addressOf(current, {target: ''}));
    show();
  };
}

function factsOf(machine) {
  const parts = [machine.os?.product];
  if (machine.logical_processors) parts.push(`${machine.logical_processors} processors`);
  if (machine.memory?.physical_total_bytes) parts.push(`${Math.round(machine.memory.physical_total_bytes / 2 ** 30)} GB`);
  if (machine.uptime_seconds) parts.push(`up ${duration(machine.uptime_seconds)}`);
  return parts;
}

function showZone() {
  const select = document.getElementById('zone');
  const output = document.getElementById('clock');
  for (const zone of ZONES) select.append(element('option', {value: zone}, ZONE_NAMES[zone]));
  select.addEventListener('change', () => chooseZone(select.value));
  const show = () => {
    select.value = chosenZone();
    select.querySelector('[value=machine]').disabled = !knowsMachineZone();
    setText(output, clock(Date.now()));
    setAttribute(output, 'title', wholeTime(Date.now()));
  };
  watchZone(show);
  show();
  setInterval(() => {
    if (!document.hidden) setText(output, clock(Date.now()));
  }, 1000);
}
