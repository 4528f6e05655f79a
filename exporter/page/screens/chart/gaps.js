// Where samples are missing, no line leads from the one before to the one after: it would claim values that were never read.

/**
 * Adds a moment to each gap, at which lines without a sample in it are interrupted.
 * @param {Array<Array<number|null|undefined>>} data uPlot's: times in seconds, then the values of each line; changed in place,
 *     but for the times, which are replaced
 * @param {Array<{time: number, until: number|undefined}>} gaps in milliseconds
 */
export function breakAtGaps(data, gaps) {
  for (const {time, until} of gaps) {
    if (until === undefined) continue;
    const middle = (time + until) / 2000;
    const times = data[0];
    const next = times.findIndex((one) => one > middle);
    if (next <= 0) continue;
    data[0] = [...times.slice(0, next), middle, ...times.slice(next)];
    for (let column = 1; column < data.length; ++column) {
      data[column].splice(next, 0, isThere(times, data[column], time / 1000, until / 1000) ? undefined : null);
    }
  }
}

// The last sample before the gap, and the first after it, are at its ends.
function isThere(times, values, from, to) {
  for (let index = 0; index < times.length; ++index) {
    if (times[index] > from + 0.5 && times[index] < to - 0.5 && Number.isFinite(values[index])) return true;
  }
  return false;
}
