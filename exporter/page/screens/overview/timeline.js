// The chart of a panel: the last 15 minutes, and below it what the cursor points at.

import {aligned} from '../../parts/aligned.js';
import {chart} from '../../parts/chart.js';
import {element, setText} from '../../parts/dom.js';
import {readable} from '../../text/numbers.js';
import {clock} from '../../text/times.js';

export const SECONDS = 900;

/**
 * @param {{name: string, hint?: string, click?: function(number)}} options `name` for those who can't see it; `hint` is shown
 *     while the cursor is elsewhere; `click` gets the time in milliseconds
 * @param {AbortSignal} signal
 */
export function timeline(options, signal) {
  const place = element('div', {class: options.click ? 'timeline clickable' : 'timeline'});
  const readout = element('p', {class: 'readout dim small', 'aria-hidden': 'true'}, options.hint ?? '');
  let now = null;
  let at = null;
  const read = () => {
    if (!now || at === null || now.data[0][at] === undefined) return setText(readout, options.hint ?? '');
    const values = now.lines.map((line, index) => {
      const value = now.data[index + 1][at];
      return `${now.lines.length > 1 ? `${line.label} ` : ''}${Number.isFinite(value) ? readable(value, line.unit) : 'no value'}`;
    });
    setText(readout, `${clock(now.data[0][at] * 1000)}   ${values.join(' · ')}`);
  };
  const hover = (index) => {
    if (index === at) return;
    at = index;
    read();
  };
  if (options.click) {
    place.addEventListener('click', () => {
      const time = at === null ? undefined : now?.data[0][at];
      if (time !== undefined) options.click(time * 1000);
    });
  }
  const part = chart(place, {name: options.name, group: 'overview', hover}, signal);
  return {
    node: [place, readout],
    /**
     * @param {Array<{times, values}>} parts of blocks
     * @param {import('../../parts/chart.js').ChartLine[]} lines
     * @param {{end: number, most?: number, marks?: Array, summary: string}} look `end` in milliseconds
     */
    show(parts, lines, {end, most, marks, summary}) {
      now = {data: aligned(parts), lines};
      part.show(now.data, lines, [end - SECONDS * 1000, end], marks, summary, most);
      if (at !== null) read();
    },
  };
}
