// What can be taken out of a chart: values, a picture, raw samples.

import {machine} from '../../data/machine.js';
import {ApiError} from '../../data/api.js';
import {element, replaceChildren} from '../../parts/dom.js';
import {save} from '../../parts/saved.js';
import {wholeTime} from '../../text/times.js';
import {saveCapture} from './capture.js';
import {csvOf} from './csv.js';
import {pictureOf} from './picture.js';

/**
 * @param {import('./drawing.js').Drawing} drawing
 * @param {Element} said a live region
 * @param {AbortSignal} signal
 */
export function exportsOf(drawing, said, signal) {
  const say = (text, isBad = false) => replaceChildren(said, element('span', {class: isBad ? 'state bad' : 'dim'}, text));
  const visible = () => drawing.rows.filter((row) => !row.isHidden);
  const nameOf = (ending) => {
    const time = new Date(drawing.span[1]).toISOString().slice(0, 19).replaceAll(':', '');
    return `${machine?.name ?? 'machine'}-chart-${time}.${ending}`;
  };

  return {
    csv() {
      save(new Blob([csvOf(visible(), ...drawing.span)], {type: 'text/csv;charset=utf-8'}), nameOf('csv'));
      say('');
    },
    async png() {
      const canvas = drawing.plot.canvas();
      if (!canvas) {
        say('There is no chart to draw.', true);
        return;
      }
      const span = `${wholeTime(drawing.span[0])} · ${drawing.about}`;
      const about = {title: machine?.name ?? 'winperf_exporter', span, rows: visible(), marks: drawing.marks};
      const blob = await pictureOf(canvas, about);
      if (blob) save(blob, nameOf('png'));
      say(blob ? '' : 'The browser could not make the picture.', !blob);
    },
    async capture() {
      say('Making the capture …');
      try {
        const countersets = [...new Set(visible().map((row) => row.counterset))];
        await saveCapture({countersets, from: drawing.span[0], to: drawing.span[1]}, signal);
        say('');
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        say(error.retryAfter ? `${error.detail}. Try again in ${error.retryAfter} s.` : error.detail, true);
      }
    },
  };
}
