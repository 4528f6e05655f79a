// A chart over time, drawn by uPlot: lines with gaps where values are missing, marks where something happened.

import {colour, watchColours} from './colours.js';
import {element, replaceChildren, setAttribute} from './dom.js';
import {onAxis} from '../text/numbers.js';
import {clock, dayAndClock, minute, watchZone} from '../text/times.js';

const DAY_MS = 86_400_000;

/**
 * @typedef {{label: string, colour: string, unit: {kind, factor}, fill?: boolean, dash?: number[], width?: number,
 *     scale?: number}} ChartLine `colour` is a name of styles/colours.css; the values are multiplied by `scale` for drawing alone
 * @typedef {{time: number, until?: number, text: string}} Mark in milliseconds
 */

/**
 * @param {Element} place whose height is set by the style sheet
 * @param {{name: string, most?: number, group?: string, hover?: function(number|null), select?: function(number, number)}} options
 *     `name` is what the chart shows, for those who can't see it; `most` the top of the scale, or the greatest value if there is
 *     none; charts of a `group` move their cursors together; `hover` gets the index of the sample under the cursor; `select` the
 *     span in milliseconds that was drawn with the mouse
 * @param {AbortSignal} signal
 */
export function chart(place, options, signal) {
  place.classList.add('chart');
  setAttribute(place, 'role', 'img');
  setAttribute(place, 'aria-label', options.name);
  // A deferred script of the page's head, so it is there before any module; a build may be without it.
  const library = globalThis.uPlot;
  let plot = null;
  let shown = null;
  let isOver = false;

  const forget = () => {
    plot?.destroy();
    plot = null;
  };
  const draw = () => {
    if (!shown || isOver || !library) return;
    const {data, lines, span, marks} = shown;
    if (plot && plot.linesKey === keyOf(lines)) {
      plot.marks = marks;
      plot.batch(() => {
        plot.setData(data, false);
        plot.setScale('x', {min: span[0] / 1000, max: span[1] / 1000});
      });
      return;
    }
    forget();
    if (place.clientWidth === 0 || place.clientHeight === 0) return;
    replaceChildren(place);
    plot = new library(settings(place, options, lines, span, () => plot?.marks ?? marks), data, place);
    plot.linesKey = keyOf(lines);
    plot.marks = marks;
  };
  const anew = () => {
    forget();
    draw();
  };
  const resize = new ResizeObserver(() => {
    if (!plot) draw();
    else if (place.clientWidth > 0) plot.setSize({width: place.clientWidth, height: place.clientHeight});
  });
  resize.observe(place);
  watchColours(anew, signal);
  const unwatch = watchZone(() => plot?.redraw(false, true));
  signal.addEventListener('abort', () => {
    isOver = true;
    resize.disconnect();
    unwatch();
    forget();
  });
  if (!library) replaceChildren(place, element('p', {class: 'chart-empty'}, 'This build has no charts, only numbers.'));

  return {
    /**
     * @param {Array<Array<number|null|undefined>>} data uPlot's: times in seconds, then the values of each line
     * @param {ChartLine[]} lines
     * @param {[number, number]} span in milliseconds
     * @param {Mark[]} [marks]
     * @param {string} [summary] what the chart shows now, in words
     */
    show(data, lines, span, marks = [], summary = '') {
      shown = {data, lines, span, marks};
      setAttribute(place, 'aria-label', summary ? `${options.name}: ${summary}` : options.name);
      draw();
    },
    /** The picture as it is, or null. */
    canvas: () => plot?.ctx.canvas ?? null,
  };
}

function keyOf(lines) {
  return JSON.stringify(lines);
}

function settings(place, options, lines, span, marksNow) {
  const unit = lines[0]?.unit ?? {kind: 'number', factor: 1};
  const axis = {
    stroke: colour('axis'),
    grid: {stroke: colour('grid'), width: 1},
    ticks: {stroke: colour('grid'), width: 1, size: 4},
    font: '11px system-ui, sans-serif',
  };
  const fixed = options.most !== undefined;
  return {
    width: place.clientWidth,
    height: place.clientHeight,
    padding: [8, 8, 0, 0],
    legend: {show: false},
    cursor: {
      y: false,
      points: {size: 6},
      drag: {x: Boolean(options.select), y: false, setScale: false},
      sync: options.group ? {key: options.group, setSeries: false} : undefined,
    },
    select: {show: Boolean(options.select)},
    scales: {
      x: {time: true, auto: false, min: span[0] / 1000, max: span[1] / 1000},
      y: {range: (self, least, most) => (fixed ? [0, options.most] : rangeOf(least, most))},
    },
    axes: [
      {...axis, size: 26, space: 70, values: (self, ticks) => timeTicks(self, ticks)},
      {...axis, size: 58, space: 28, values: (self, ticks) => ticks.map((tick) => onAxis(tick / (unit.factor || 1), unit))},
    ],
    series: [{}, ...lines.map(seriesOf)],
    hooks: {
      draw: [(self) => drawMarks(self, marksNow())],
      setCursor: [(self) => options.hover?.(self.cursor.idx ?? null)],
      setSelect: [(self) => {
        if (!options.select || self.select.width < 4) return;
        const from = self.posToVal(self.select.left, 'x');
        const to = self.posToVal(self.select.left + self.select.width, 'x');
        self.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
        options.select(from * 1000, to * 1000);
      }],
    },
  };
}

function seriesOf(line) {
  return {
    label: line.label,
    stroke: colour(line.colour),
    fill: line.fill ? `${colour(line.colour)}26` : undefined,
    dash: line.dash,
    width: line.width ?? 1.5,
    points: {show: false},
    spanGaps: false,
  };
}

// From 0, unless there are negative values, and never of no height.
function rangeOf(least, most) {
  if (least === null || most === null) return [0, 1];
  const low = Math.min(0, least);
  const high = Math.max(0, most);
  return high === low ? [low, low + 1] : [low * 1.05, high + (high - low) * 0.05];
}

function timeTicks(plot, ticks) {
  const span = (plot.scales.x.max - plot.scales.x.min) * 1000;
  const text = span > DAY_MS ? dayAndClock : ticks.some((tick) => tick % 60 !== 0) ? clock : minute;
  return ticks.map((tick) => text(tick * 1000));
}

function drawMarks(plot, marks) {
  const {ctx: context, bbox} = plot;
  context.save();
  context.beginPath();
  context.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  context.clip();
  for (const mark of marks) {
    const from = plot.valToPos(mark.time / 1000, 'x', true);
    if (mark.until !== undefined) {
      const to = plot.valToPos(mark.until / 1000, 'x', true);
      context.globalAlpha = 0.5;
      context.fillStyle = colour('grid');
      context.fillRect(from, bbox.top, Math.max(1, to - from), bbox.height);
      context.globalAlpha = 1;
    }
    context.strokeStyle = colour('strong-line');
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(from, bbox.top);
    context.lineTo(from, bbox.top + bbox.height);
    context.stroke();
  }
  context.restore();
}
