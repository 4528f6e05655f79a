// The screen "counters".

import {ready} from '../../shell/ready.js';

export function open(place, {signal}) {
  place.textContent = 'counters';
  ready('counters', signal);
}
