// In place of the panels, when this machine has no counterset at all.

import {copyButton} from '../../parts/copy.js';
import {element} from '../../parts/dom.js';
import {shown} from '../../data/api.js';
import {addressOf} from '../../shell/address.js';

const LINE = 'countersets: ["Processor Information", "System", "Memory", "PhysicalDisk", "LogicalDisk", "Network Interface", "Process"]';

export function emptyPanel() {
  const where = shown.target ? `the entry of ${shown.target} in targets` : 'the configuration';
  return element('section', {class: 'panel', hidden: true, 'aria-labelledby': 'overview-empty'},
    element('h2', {id: 'overview-empty'}, 'No counterset is sampled'),
    element('p', null, `There are no numbers to show. This line in ${where} samples what this screen shows:`),
    element('p', {class: 'code-line'}, element('code', null, LINE), copyButton('Copy', LINE)),
    element('p', null, element('a', {href: addressOf('counters')}, 'Counters'), ' has all countersets of this machine, ',
      element('a', {href: addressOf('health')}, 'Health'), ' the configuration in effect.'));
}
