// A chart over time, drawn by uPlot: lines with gaps where values are missing, marks where something happened.

import {colour, watchColours} from './colours.js';
import {element, replaceChildren, setAttribute} from './dom.js';
import {onAxis} from '../text/numbers.js';
import {clock, dayAndClock, minute, watchZone} from '../text/times.js';

const DAY_MS = 86_400_000;
// Right of what is drawn, and the width of a digit on the axes.
const RIGHT = 8;
const DIGIT = 7;

/**
 * @typedef {{label: string, colour: string, unit: {kind, factor}, fill?: boolean, dash?: number[], width?: number, pale?: boolean,
 *     band?: boolean}} ChartLine `colour` is a name of styles/colours.css; the axis has the unit of the first line; with `band`, the
 *     space between the least and the most is drawn as well, of which the data has two columns after those of all lines: most, least
 * @typedef {{time: number, until?: number, text: string, label?: string}} Mark in milliseconds; `label` stands at its top
 */

/**
 * @param {Element} place whose height is set by the style sheet
 * @param {{name: string, most?: number, group?: string, hover?: function(number|null), select?: function(number, number),
 *     near?: function(number|null)}} options
 *     `name` is what the chart shows, for those who can't see it; `most` the top of the scale, or the greatest value if there is
 *     none; charts of a `group` move their cursors together; `hover` gets the index of the sample under the cursor; `select` the
 *     span in milliseconds that was drawn with the mouse; `near` gets the index of the line that the mouse is near to
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
  let highlighted = [];

  const forget = () => {
    plot?.destroy();
    plot = null;
  };
  const draw = () => {
    if (!shown || isOver || !library) return;
    const {data, lines, span} = shown;
    if (plot && plot.linesKey === keyOf(lines)) {
      plot.batch(() => {
        plot.setData(data, false);
        plot.setScale('x', {min: span[0] / 1000, max: span[1] / 1000});
      });
      return;
    }
    forget();
    if (place.clientWidth === 0 || place.clientHeight === 0) return;
    replaceChildren(place);
    plot = new library(settings(place, options, lines, span, () => shown), data, place);
    plot.linesKey = keyOf(lines);
    highlight();
  };
  const highlight = () => {
    plot?.series.forEach((series, index) => (series.alpha = highlighted.length === 0 || highlighted.includes(index - 1) ? 1 : 0.2));
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
     * @param {number} [most] the top of the scale, instead of that of the options
     */
    show(data, lines, span, marks = [], summary = '', most = options.most) {
      shown = {data, lines, span, marks, most};
      setAttribute(place, 'aria-label', summary ? `${options.name}: ${summary}` : options.name);
      draw();
    },
    /** The picture as it is, or null. */
    canvas: () => plot?.ctx.canvas ?? null,
    /** Makes all lines pale but some; none if all are as usual. @param {number[]} indexes */
    highlight(indexes) {
      if (indexes.join() === highlighted.join()) return;
      highlighted = indexes;
      highlight();
      plot?.redraw(true);
    },
    /** @param {number} x of a mouse, in the window @returns {number|null} the time there, in milliseconds */
    timeAt: (x) => (plot ? plot.posToVal(x - plot.over.getBoundingClientRect().left, 'x') * 1000 : null),
    /** The width of what is drawn, without axes, in CSS pixels. */
    width: () => plot?.over.clientWidth ?? 0,
    /** Puts the cursor at a sample, as the mouse does. @param {number|null} index */
    moveCursor(index) {
      const time = shown?.data[0][index];
      if (!plot) return;
      if (time === undefined) plot.setCursor({left: -10, top: -10});
      else plot.setCursor({left: plot.valToPos(time, 'x'), top: plot.over.clientHeight / 2});
    },
  };
}

function keyOf(lines) {
  return JSON.stringify(lines);
}

function settings(place, options, lines, span, now) {
  const unit = lines[0]?.unit ?? {kind: 'number', factor: 1};
  const axis = {
    stroke: colour('axis'),
    grid: {stroke: colour('grid'), width: 1},
    ticks: {stroke: colour('grid'), width: 1, size: 4},
    font: '11px system-ui, sans-serif',
  };
  return {
    width: place.clientWidth,
    height: place.clientHeight,
    padding: [8, RIGHT, 0, 0],
    legend: {show: false},
    cursor: {
      y: false,
      points: {size: 6},
      drag: {x: Boolean(options.select), y: false, setScale: false},
      focus: {prox: options.near ? 24 : -1},
      sync: options.group ? {key: options.group, setSeries: false} : undefined,
    },
    focus: {alpha: 1},
    select: {show: Boolean(options.select)},
    scales: {
      x: {time: true, auto: false, min: span[0] / 1000, max: span[1] / 1000},
      y: {range: (self, least, most) => rangeOf(least, most, now()?.most)},
    },
    axes: [
      {...axis, size: 26, space: 70, values: (self, ticks) => timeTicks(self, ticks)},
      {
        ...axis,
        size: (self, texts) => Math.max(58, ...(texts ?? []).map((text) => (text?.length ?? 0) * DIGIT + 16)),
        space: 28,
        incrs: unit.kind.startsWith('bytes') ? BYTE_STEPS : undefined,
        values: (self, ticks) => ticks.map((tick) => onAxis(tick / (unit.factor || 1), unit)),
      },
    ],
    series: [{}, ...lines.map(seriesOf), ...lines.filter((line) => line.band).flatMap(() => [EDGE, EDGE])],
    bands: bandsOf(lines),
    hooks: {
      draw: [(self) => drawMarks(self, now()?.marks ?? [])],
      setCursor: [(self) => options.hover?.(self.cursor.idx ?? null)],
      setSeries: [(self, index, {focus}) => {
        if (focus) options.near?.(index === null || index > lines.length ? null : index - 1);
      }],
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
    stroke: line.pale ? `${colour(line.colour)}99` : colour(line.colour),
    fill: line.fill ? `${colour(line.colour)}26` : undefined,
    dash: line.dash,
    width: line.width ?? 1.5,
    points: {show: false},
    spanGaps: false,
  };
}

// Of a band: not drawn, but what is between them.
const EDGE = {stroke: 'transparent', width: 0, points: {show: false}, spanGaps: false};

function bandsOf(lines) {
  let next = lines.length + 1;
  return lines.filter((line) => line.band).map((line) => {
    const band = {series: [next, next + 1], fill: `${colour(line.colour)}2e`};
    next += 2;
    return band;
  });
}

// Round numbers of KB, MB and so on.
const BYTE_STEPS = [0, 1, 2, 3, 4, 5].flatMap((power) => [1, 2, 5, 10, 20, 50, 100, 200, 500].map((step) => step * 1024 ** power));

// From 0, unless there are negative values, and never of no height.
function rangeOf(least, most, top) {
  if (top !== undefined && !(least < 0)) return [0, top];
  if (least === null || most === null) return [0, 1];
  const low = Math.min(0, least);
  const high = Math.max(0, most);
  return high === low ? [low, low + 1] : [low * 1.05, high + (high - low) * 0.05];
}

function timeTicks(plot, ticks) {
  const span = (plot.scales.x.max - plot.scales.x.min) * 1000;
  const text = span > DAY_MS ? dayAndClock : ticks.some((tick) => tick % 60 !== 0) ? clock : minute;
  const width = plot.bbox.width / devicePixelRatio;
  return ticks.map((tick) => {
    const label = text(tick * 1000);
    // Half of it would stand outside the picture.
    const room = ((plot.scales.x.max - tick) * 1000 / span) * width + RIGHT;
    return room < (label.length * DIGIT) / 2 ? '' : label;
  });
}

function drawMarks(plot, marks) {
  const {ctx: context, bbox} = plot;
  context.save();
  context.beginPath();
  context.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  context.clip();
  let labelled = -Infinity;
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
    // Of marks that are close together the first has its number; the list has all.
    if (mark.label && from > labelled) labelled = drawLabel(context, mark.label, from, bbox.top);
  }
  context.restore();
}

/** @returns {number} where it ends */
function drawLabel(context, text, x, y) {
  const scale = window.devicePixelRatio || 1;
  context.setLineDash([]);
  context.font = `600 ${10 * scale}px system-ui, sans-serif`;
  const width = context.measureText(text).width + 6 * scale;
  context.fillStyle = colour('strong-line');
  context.fillRect(x, y, width, 14 * scale);
  context.fillStyle = colour('surface');
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillText(text, x + 3 * scale, y + 7.5 * scale);
  return x + width;
}
