// The screen "processes".

import {ready} from '../../shell/ready.js';

export function open(place, {signal}) {
  place.textContent = 'processes';
  ready('processes', signal);
}
