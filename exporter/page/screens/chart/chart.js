// The screen "chart".

import {ready} from '../../shell/ready.js';

export function open(place, {signal}) {
  place.textContent = 'chart';
  ready('chart', signal);
}
