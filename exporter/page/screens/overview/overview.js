// The screen "overview".

import {ready} from '../../shell/ready.js';

export function open(place, {signal}) {
  place.textContent = 'overview';
  ready('overview', signal);
}
