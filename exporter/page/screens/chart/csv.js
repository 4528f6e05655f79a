// The lines of a chart as CSV, as RFC 4180 has it: a column of time, then one for each line, named by its path. Times are in UTC
// with milliseconds, so that the file is the same wherever it is opened. Values have all their digits. A missing value is an empty
// field, never 0; there is no line of reasons, because programs that read such files take every line for data.

const FORMULA = /^[=+\-@\t\r]/;

/** A field in quotes if it needs them; a name that a spreadsheet would take for a formula gets an apostrophe. */
export function field(text) {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The names of columns: several processes of one name are told apart by their ids, as perfmon's numbers do only at a moment. */
function titlesOf(lines) {
  const counts = new Map();
  for (const {name} of lines) counts.set(name, (counts.get(name) ?? 0) + 1);
  return lines.map(({name, identity}) => {
    const id = identity?.process_id;
    return counts.get(name) > 1 && id !== undefined && id !== null ? `${name} (process ${id})` : name;
  });
}

/**
 * @param {Array<{name: string, identity?: Object, times: number[], values: Array<number|null|undefined>}>} lines times in milliseconds
 * @param {number} from @param {number} to
 */
export function csvOf(lines, from, to) {
  const columns = lines.map(({times, values}) => new Map(times.map((time, index) => [time, values[index]])));
  const times = [...new Set(lines.flatMap((line) => line.times))].filter((time) => time >= from && time <= to);
  times.sort((one, other) => one - other);
  const rows = [['Time (UTC)', ...titlesOf(lines).map(field)]];
  for (const time of times) {
    const cells = columns.map((column) => column.get(time)).map((value) => (Number.isFinite(value) ? String(value) : ''));
    if (cells.some(Boolean)) rows.push([new Date(time).toISOString(), ...cells]);
  }
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}
