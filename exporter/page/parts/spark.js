// A line of the last minutes in the space of a word. Without axes: the number stands beside it.

import {colour, watchColours} from './colours.js';
import {element} from './dom.js';

/**
 * @param {{colour: string, most?: number, seconds: number}} look `colour` is a name of styles/colours.css; `most` the top of the
 *     scale, or the greatest value if there is none; `seconds` the width
 * @param {AbortSignal} signal
 * @returns {{node: HTMLCanvasElement, draw: function(number[], Array<number|null|undefined>)}} times in milliseconds
 */
export function spark(look, signal) {
  const node = element('canvas', {class: 'spark', 'aria-hidden': 'true'});
  let last = null;
  const again = () => last && paint(node, look, ...last);
  const resize = new ResizeObserver(again);
  resize.observe(node);
  signal.addEventListener('abort', () => resize.disconnect());
  watchColours(again, signal);
  return {
    node,
    draw(times, values) {
      last = [times, values];
      again();
    },
  };
}

function paint(node, look, times, values) {
  const scale = window.devicePixelRatio || 1;
  const width = Math.round(node.clientWidth * scale);
  const height = Math.round(node.clientHeight * scale);
  if (width === 0 || height === 0) return;
  if (node.width !== width) node.width = width;
  if (node.height !== height) node.height = height;
  const context = node.getContext('2d');
  context.clearRect(0, 0, width, height);
  const end = times.at(-1);
  if (end === undefined) return;
  const most = look.most ?? Math.max(1e-9, ...values.filter(Number.isFinite));
  const x = (time) => width - ((end - time) / 1000 / look.seconds) * width;
  const y = (value) => height - 1 - (Math.min(most, Math.max(0, value)) / most) * (height - 2);
  context.lineWidth = scale;
  context.strokeStyle = colour(look.colour);
  context.fillStyle = colour(look.colour);
  for (const run of runsOf(times, values, (time) => Math.round(x(time)))) {
    context.beginPath();
    for (const [column, value] of run) context.lineTo(column, y(value));
    context.stroke();
    context.lineTo(run.at(-1)[0], height);
    context.lineTo(run[0][0], height);
    context.globalAlpha = 0.15;
    context.fill();
    context.globalAlpha = 1;
  }
}

/**
 * Where values follow each other without a gap: of each column of pixels its greatest value, because 64 processors are drawn each
 * second, and a peak must not get lost.
 * @returns {Array<Array<[number, number]>>} runs of columns and values
 */
export function runsOf(times, values, columnOf) {
  const runs = [];
  let run = null;
  for (let index = 0; index < values.length; ++index) {
    const value = values[index];
    if (!Number.isFinite(value)) {
      run = null;
      continue;
    }
    const column = columnOf(times[index]);
    if (!run) runs.push((run = []));
    const last = run.at(-1);
    if (last && last[0] === column) last[1] = Math.max(last[1], value);
    else run.push([column, value]);
  }
  return runs;
}
