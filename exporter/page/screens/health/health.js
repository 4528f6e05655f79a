// The screen "health".

import {ready} from '../../shell/ready.js';

export function open(place, {signal}) {
  place.textContent = 'health';
  ready('health', signal);
}
