// Draws what a chart shows: lines, legend, marks, and what is under the cursor.

import {followAnnotations} from '../../data/annotations.js';
import {aligned} from '../../parts/aligned.js';
import {chart} from '../../parts/chart.js';
import {setAttribute, setText} from '../../parts/dom.js';
import {duration, readable} from '../../text/numbers.js';
import {clock, dayAndClock, isSameDay, watchZone} from '../../text/times.js';
import {linesOf} from './blocks.js';
import {breakAtGaps} from './gaps.js';
import {KEYS} from './layout.js';
import {legend} from './legend.js';
import {marksAt, marksOf, showMarks} from './marks.js';
import {COMPARED_DASH, Pens} from './pens.js';
import {oldestKnown} from './reach.js';
import {scaling} from './scales.js';
import {DAY} from './span.js';
import {greatest, indexAt, statistics} from './statistics.js';

const MOST_LINES = 100;
// Bands of many lines cover each other.
const MOST_BANDS = 8;

export class Drawing {
  #parts;
  #legend;
  #pens = new Pens();
  #known = new Set();
  #counts = new Map();
  #annotations = [];
  #marks = [];
  #drawn = [];
  #times = [];
  #cursor = null;
  #over = null;
  #shown = null;
  /** What exports are made of: rows of the legend with their lines, and the span. */
  rows = [];
  span = [0, 0];

  constructor(parts, act, signal) {
    this.#parts = parts;
    this.#legend = legend(parts.legend, {...act, over: (row) => {
      this.#over = row?.key ?? null;
      this.#highlight();
    }});
    this.plot = chart(parts.plot, {
      name: 'Chart',
      hover: (index) => this.#hover(index),
      near: (index) => this.#legend.near(index === null ? null : this.#drawn[index]?.key ?? null),
      select: act.select,
    }, signal);
    followAnnotations(() => 0, (annotations) => {
      this.#annotations = annotations;
      if (this.#shown) this.show(this.#shown);
    }, signal);
    signal.addEventListener('abort', watchZone(() => this.#shown && this.show(this.#shown)));
  }

  get marks() {
    return this.#marks;
  }

  /** How long it is, how many lines, and what the thin ones are. */
  get about() {
    return this.#parts.note.textContent;
  }

  /** How many lines a path has. */
  countOf(path) {
    return this.#counts.get(path) ?? 0;
  }

  /** @returns {Map<string, number>} lines of each path */
  show(shown) {
    this.#shown = shown;
    const {state, from, to, blocks, compared, offset} = shown;
    const choice = {most: MOST_LINES, isDropped: (name) => state.dropped.has(name), isKnown: (key) => this.#known.has(key)};
    const {lines, leftOut} = linesOf(blocks, state.paths, choice);
    const others = offset === null ? [] : linesOf(compared, state.paths, {...choice, most: 10 * MOST_LINES}).lines;
    this.#known = new Set(lines.map((line) => line.key));
    this.#pens.assign([...this.#known]);
    this.#counts = countsOf(lines);
    this.span = [from, to];
    this.rows = lines.map((line) => this.#rowOf(line, state, others, offset));
    const visible = this.rows.filter((row) => !row.isHidden);
    const scale = scaling(visible.map((row) => ({unit: row.unit, most: greatestOf(row), chosen: row.chosen})));
    visible.forEach((row, index) => (row.power = scale.powers[index]));
    this.#marks = marksOf(this.#annotations, from, to);
    this.#draw(visible, scale, shown);
    this.#legend.show(this.rows, offset !== null, state.sort);
    showMarks(this.#parts.marks, this.#marks);
    this.#head(shown, visible.length, leftOut);
    this.#hover(this.#cursor);
    return this.#counts;
  }

  #rowOf(line, state, others, offset) {
    const other = offset === null ? undefined : others.find((one) => one.key === line.key) ?? others.find((one) => one.name === line.name);
    const [from, to] = this.span;
    return {
      ...line,
      pen: this.#pens.of(line.key),
      isHidden: state.hidden.has(line.name),
      chosen: state.scales.get(line.name),
      power: null,
      statistic: {...statistics(line, from, to), ...(line.reasons ? {} : {reason: line.reason})},
      other,
      compared: other ? statistics(other, from, to) : null,
      missingWhy: 'It is not there at the end of this time.',
    };
  }

  #draw(visible, scale, {from, to}) {
    const wanted = visible.flatMap((row, index) => {
      const same = {key: row.key, factor: scale.factors[index]};
      const look = {label: row.name, colour: row.pen.colour, unit: scale.unit};
      const isBanded = visible.length <= MOST_BANDS && Boolean(row.least && row.most);
      const line = {...same, line: row, look: {...look, dash: row.pen.dash, band: isBanded}};
      if (!row.other) return [line];
      const then = {...look, label: `${row.name}, then`, dash: COMPARED_DASH, width: 1.25, pale: true};
      return [line, {...same, line: row.other, look: then}];
    });
    this.#drawn = wanted;
    const banded = wanted.filter(({look}) => look.band);
    const columns = [
      ...wanted.map(({line, factor}) => ({times: line.times, values: line.values, factor})),
      ...banded.flatMap(({line, factor}) => [edge(line, 'most', factor), edge(line, 'least', factor)]),
    ];
    const data = aligned(columns, (value, index) => value * columns[index].factor);
    breakAtGaps(data, this.#marks.filter(({kind}) => kind === 'gap'));
    this.#times = data[0];
    this.#highlight();
    this.plot.show(data, wanted.map(({look}) => look), [from, to], this.#marks, summaryOf(visible), scale.top);
  }

  #head({state, from, to, blocks, newSamples, offset, isLoading}, count, leftOut) {
    const {title, state: mark, note} = this.#parts;
    const text = to - from > DAY || !isSameDay(from, to) ? dayAndClock : clock;
    setText(title, `${dayAndClock(from)} – ${text(to)}`);
    const sentences = [`${duration(Math.round((to - from) / 1000))}, ${count} line${count === 1 ? '' : 's'}`];
    if (leftOut > 0) sentences.push(`${leftOut} more with smaller values are not drawn`);
    if (offset !== null) sentences.push(`thin lines: ${dayAndClock(from - offset)} – ${text(to - offset)}`);
    const oldest = oldestKnown();
    if (oldest !== null && oldest > from + (to - from) / 20) sentences.push(`recorded since ${dayAndClock(oldest)}`);
    if (isLoading) sentences.push('reading …');
    else if (blocks.length > 0 && this.rows.length === 0) sentences.push('nothing is recorded of this time');
    setText(note, sentences.join(' · '));
    const news = newSamples > 0 ? ` · ${newSamples} new sample${newSamples === 1 ? '' : 's'}` : '';
    setText(mark, state.view.live ? 'Live' : `Paused${news}`);
    mark.classList.toggle('good', state.view.live);
    mark.classList.toggle('warn', !state.view.live);
  }

  // Also the line of the other time.
  #highlight() {
    this.plot.highlight(this.#drawn.flatMap(({key}, index) => (key === this.#over ? [index] : [])));
  }

  #hover(index) {
    this.#cursor = index;
    const time = index === null ? undefined : this.#times[index] * 1000;
    if (time === undefined || Number.isNaN(time)) {
      this.#legend.at('At the cursor', () => undefined);
      setText(this.#parts.readout, KEYS);
      return;
    }
    this.#legend.at(`At ${clock(time)}`, (row) => valueAt(row, time));
    const tolerance = (this.span[1] - this.span[0]) / 200;
    const marks = marksAt(this.#marks, time, tolerance).map((mark) => `${mark.title}: ${mark.text}`);
    setText(this.#parts.readout, [dayAndClock(time), ...marks].join(' · '));
    setAttribute(this.#parts.readout, 'title', marks.join('\n') || null);
  }

  /** Moves the cursor by samples; it begins at the last one. */
  step(count) {
    const [from, to] = this.span.map((time) => indexAt(this.#times, time / 1000));
    const index = this.#cursor === null ? to : Math.min(to, Math.max(from + 1, this.#cursor + count));
    this.plot.moveCursor(index);
  }
}

function countsOf(lines) {
  const counts = new Map();
  for (const {path} of lines) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

function greatestOf(row) {
  return Math.max(greatest(row.statistic), row.compared ? greatest(row.compared) : 0);
}

// Where there is no least or most, as of a sample, the value is both.
function edge(line, name, factor) {
  const values = line.values.map((value, index) => (Number.isFinite(value) ? line[name][index] ?? value : value));
  return {times: line.times, values, factor};
}

function valueAt(row, time) {
  const index = indexAt(row.times, time + 1);
  if (index < 0) return undefined;
  const value = row.values[index];
  return value === undefined ? undefined : {value, reason: row.reasons?.[index] ?? null};
}

function summaryOf(rows) {
  const some = rows.slice(0, 5).map(({name, statistic: {average, least, most}, unit}) => (average === null ? `${name} has no value` :
    `${name} is ${readable(average, unit)} on average, from ${readable(least, unit)} to ${readable(most, unit)}`));
  const more = rows.length > 5 ? `, and ${rows.length - 5} more lines in the legend` : '';
  return some.join('; ') + more;
}
