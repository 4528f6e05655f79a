// Starts the page: the header, and the screen that the address names.

import {machine, showMachine, watchMachine} from './data/machine.js';
import {element, replaceChildren} from './parts/dom.js';
import {noteAddress, readAddress} from './shell/address.js';
import {showHeader} from './shell/header.js';
import {showConnection} from './shell/notice.js';
import {SCREENS} from './screens/index.js';

const place = document.getElementById('screen');
const showCurrent = showHeader(SCREENS);
let now = {name: null, machine: null, end: null, change: null};

showConnection(document.getElementById('notice'));
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();  // the address belongs to the screens
  place.focus();
});
window.addEventListener('hashchange', follow);
watchMachine(title);
// Reading the modules and showing a screen are two tasks, so that neither is long.
setTimeout(follow);

function follow() {
  const {screen: name, params} = readAddress();
  const screen = SCREENS.find((one) => one.name === name) ?? SCREENS[0];
  // The address says what is shown, also where it has named no screen.
  if (name !== screen.name) noteAddress(screen.name, params);
  const target = params.get('target');
  const module = params.get('module');
  const ofMachine = JSON.stringify([target, module]);
  showMachine(target, module);
  showCurrent(screen.name);
  title();
  if (now.name === screen.name && now.machine === ofMachine && now.change) {
    now.change(params);
    return;
  }
  now.end?.abort();
  const end = new AbortController();
  const isFirst = now.name === null;
  now = {name: screen.name, machine: ofMachine, end, change: null};
  delete document.documentElement.dataset.ready;
  replaceChildren(place);
  const inner = element('div', {class: `screen ${screen.name}`});
  place.append(inner);
  const note = (changed) => {
    if (!end.signal.aborted) noteAddress(screen.name, changed);
  };
  now.change = screen.open(inner, {params, note, signal: end.signal}) ?? null;
  if (!isFirst) {
    window.scrollTo(0, 0);
    place.focus({preventScroll: true});
  }
}

function title() {
  const screen = SCREENS.find((one) => one.name === now.name) ?? SCREENS[0];
  document.title = [screen.title, machine?.name, 'winperf_exporter'].filter(Boolean).join(' · ');
}
