// Last, average, minimum and maximum of what a chart shows of a line.

/**
 * The average is weighted by time: each value counts for as long as the time since the sample before, because that is what it is
 * the value of. So samples of which only one a minute is kept count no less than others. A missing value counts nothing.
 * @param {{times: number[], values: Array<number|null|undefined>, least?: Array, most?: Array, reasons?: Array}} line times in
 *     milliseconds; `least` and `most` are of the samples within the step that a value is of
 * @param {number} from @param {number} to the span, in milliseconds
 * @returns {{last: number|null|undefined, lastTime: number|null, reason: string|null, average: number|null, least: number|null,
 *     most: number|null, count: number, missing: number}} null where there is no value; `last` is undefined if the instance is
 *     not there at the end
 */
export function statistics({times, values, least, most, reasons}, from, to) {
  const result = {last: undefined, lastTime: null, reason: null, average: null, least: null, most: null, count: 0, missing: 0};
  let sum = 0;
  let weights = 0;
  let end = -1;
  for (let index = 0; index < times.length; ++index) {
    if (times[index] < from) continue;
    if (times[index] > to) break;
    end = index;
    const value = values[index];
    if (value === null) ++result.missing;
    if (!Number.isFinite(value)) continue;
    const weight = index > 0 ? times[index] - times[index - 1] : (times[1] ?? times[0] + 1) - times[0];
    sum += value * weight;
    weights += weight;
    ++result.count;
    result.least = smaller(result.least, least?.[index] ?? value);
    result.most = -smaller(result.most === null ? null : -result.most, -(most?.[index] ?? value));
  }
  if (weights > 0) result.average = sum / weights;
  if (end >= 0) Object.assign(result, {last: values[end], lastTime: times[end], reason: reasons?.[end] ?? null});
  return result;
}

function smaller(known, value) {
  return known === null || value < known ? value : known;
}

/** The greatest absolute value of a line in a span, or 0. */
export function greatest(statistic) {
  return Math.max(Math.abs(statistic.least ?? 0), Math.abs(statistic.most ?? 0));
}

/** The index of the sample at or before a time, or -1. @param {number[]} times ascending */
export function indexAt(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
