// The chart as a picture, for a ticket or a mail: whose it is and of when, the lines, and the legend with its numbers below.

import {colour} from '../../parts/colours.js';
import {readable} from '../../text/numbers.js';
import {powerText} from './scales.js';

const ROW = 20;
const EDGE = 16;
const HEAD = 44;
const FONT = 'system-ui, sans-serif';
const NUMBERS = ['Last', 'Average', 'Minimum', 'Maximum'];
const NUMBER_WIDTH = 96;

/**
 * @param {HTMLCanvasElement} chart as it is drawn
 * @param {{title: string, span: string, rows: import('./legend.js').Row[], marks: Array}} about
 * @returns {Promise<Blob|null>}
 */
export function pictureOf(chart, {title, span, rows, marks}) {
  const scale = window.devicePixelRatio || 1;
  const width = Math.max(chart.width / scale, 640) + 2 * EDGE;
  const height = HEAD + chart.height / scale + ROW * (rows.length + 2 + marks.length) + 2 * EDGE;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.fillStyle = colour('surface');
  context.fillRect(0, 0, width, height);
  context.textBaseline = 'middle';
  write(context, title, EDGE, EDGE + 6, {font: `600 15px ${FONT}`});
  write(context, span, EDGE, EDGE + 26, {ink: 'dim'});
  context.drawImage(chart, EDGE, HEAD + 8, chart.width / scale, chart.height / scale);
  let y = HEAD + chart.height / scale + 28;
  drawHead(context, y, width);
  for (const row of rows) drawRow(context, row, (y += ROW), width);
  y += ROW / 2;
  for (const {label, title: what, text} of marks) {
    write(context, `${label}  ${what}: ${text}`, EDGE, (y += ROW), {ink: 'dim', most: width - 2 * EDGE});
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

function write(context, text, x, y, {ink = 'text', font = `12px ${FONT}`, align = 'left', most} = {}) {
  context.font = font;
  context.fillStyle = colour(ink);
  context.textAlign = align;
  context.fillText(most === undefined ? text : clipped(context, text, most), x, y);
}

function clipped(context, text, most) {
  if (context.measureText(text).width <= most) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > most) length -= Math.ceil(length / 20);
  return `${text.slice(0, length)}…`;
}

function drawHead(context, y, width) {
  write(context, 'Counter', EDGE + 48, y, {ink: 'dim'});
  NUMBERS.forEach((name, index) => write(context, name, placeOf(index, width), y, {ink: 'dim', align: 'right'}));
}

function placeOf(index, width) {
  return width - EDGE - (NUMBERS.length - 1 - index) * NUMBER_WIDTH;
}

function drawRow(context, {pen, name, power, unit, statistic}, y, width) {
  context.strokeStyle = colour(pen.colour);
  context.lineWidth = 2.5;
  context.setLineDash(pen.dash);
  context.beginPath();
  context.moveTo(EDGE, y);
  context.lineTo(EDGE + 36, y);
  context.stroke();
  context.setLineDash([]);
  const scaled = power === null ? '' : `  ${powerText(power)}`;
  write(context, name + scaled, EDGE + 48, y, {most: placeOf(0, width) - NUMBER_WIDTH - EDGE - 40});
  [statistic.last, statistic.average, statistic.least, statistic.most].forEach((value, index) => {
    write(context, Number.isFinite(value) ? readable(value, unit) : '–', placeOf(index, width), y, {align: 'right'});
  });
}
