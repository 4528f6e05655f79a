// Lines of several countersets, which are sampled at slightly different times, on one axis of time, as uPlot wants them.

/**
 * @param {Array<{times: number[], values: Array<number|null|undefined>}>} lines times in milliseconds, ascending
 * @param {function(number, number): number} [scaled] (value, index of the line) as it is drawn
 * @returns {Array<Array<number|null|undefined>>} times in seconds, then a list for each line: null is a gap; at the times of other
 *     lines, undefined, over which the line goes on
 */
export function aligned(lines, scaled = (value) => value) {
  const axes = new Set(lines.map((line) => line.times));
  const first = lines[0]?.times ?? [];
  const times = axes.size <= 1 ? first : [...new Set([...axes].flat())].sort((one, other) => one - other);
  const columns = lines.map(({times: own, values}, line) => {
    // An instance that does not exist is a gap as well as a missing value.
    const drawn = (value) => (value === null || value === undefined ? null : scaled(value, line));
    if (own === times) return values.map(drawn);
    const column = new Array(times.length).fill(undefined);
    let place = 0;
    own.forEach((time, index) => {
      while (times[place] < time) ++place;
      column[place] = drawn(values[index]);
    });
    return column;
  });
  return [times.map((time) => time / 1000), ...columns];
}
