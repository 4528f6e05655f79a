// The screen "machines".

import {ready} from '../../shell/ready.js';

export function open(place, {signal}) {
  place.textContent = 'machines';
  ready('machines', signal);
}
