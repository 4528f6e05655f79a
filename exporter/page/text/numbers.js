// Numbers as people read them, in the locale of the browser: of a counter's value by what its name says that it counts. As in
// Task Manager, 1 KB has 1,024 bytes. A value that is missing is never a number: callers show its reason.

const formatters = new Map();

function formatter(options) {
  const key = JSON.stringify(options);
  if (!formatters.has(key)) formatters.set(key, new Intl.NumberFormat(undefined, options));
  return formatters.get(key);
}

/** With three significant digits, and all that are before the point: 0.0123, 1.23, 12.3, 1,234. */
export function plain(value) {
  const size = Math.abs(value);
  if (size >= 1e12) return formatter({notation: 'compact', maximumSignificantDigits: 4}).format(value);
  // Not −0.
  if (size === 0) return formatter({}).format(0);
  if (size < 1) return formatter({maximumSignificantDigits: size < 0.001 ? 2 : 3}).format(value);
  return formatter({maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : 2}).format(value);
}

/** All digits of a value, for when the pointer is over it. */
export function exact(value) {
  return formatter({maximumSignificantDigits: 17}).format(value === 0 ? 0 : value);
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'];

export function bytes(value) {
  return bytesText(value, true);
}

function bytesText(value, keepsZeros) {
  let size = Math.abs(value);
  let unit = 0;
  // 1,000 of a unit are shown as the next one already, so that no number has more than three digits.
  while (size >= 999.5 && unit < BYTE_UNITS.length - 1) {
    size /= 1024;
    ++unit;
  }
  const places = unit === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  const digits = {minimumFractionDigits: keepsZeros ? places : 0, maximumFractionDigits: places};
  const number = formatter(digits).format(value < 0 ? -size : size);
  return `${number} ${BYTE_UNITS[unit]}`;
}

/** A length of time: 350 µs, 12.4 ms, 3.2 s, 4 min 5 s, 3 h 12 min, 12 d 4 h. */
export function duration(seconds) {
  const size = Math.abs(seconds);
  if (size === 0) return '0 s';
  // What would be rounded to 1,000 of a unit is one of the next.
  if (size < 0.0009995) return `${plain(seconds * 1e6)} µs`;
  if (size < 0.9995) return `${plain(seconds * 1e3)} ms`;
  if (size < 59.95) return `${plain(seconds)} s`;
  const sign = seconds < 0 ? '-' : '';
  const whole = Math.round(size);
  const two = (large, largeName, small, smallName) =>
    small ? `${sign}${large} ${largeName} ${small} ${smallName}` : `${sign}${large} ${largeName}`;
  if (whole < 3600) return two(Math.floor(whole / 60), 'min', whole % 60, 's');
  if (whole < 86400) return two(Math.floor(whole / 3600), 'h', Math.floor((whole % 3600) / 60), 'min');
  return two(Math.floor(whole / 86400), 'd', Math.floor((whole % 86400) / 3600), 'h');
}

/**
 * What a value of a counter is, judged by its name: perfmon has no other unit.
 * @returns {{kind: string, factor: number}} kind is percent, bytes, bytes_rate, bits_rate, rate, seconds or number; the value
 *     times factor is in percent, bytes, seconds or pieces
 */
export function unitOf(counter) {
  const name = counter.toLowerCase();
  if (name.startsWith('%') || name.includes('percent')) return {kind: 'percent', factor: 1};
  if (/\bavg\.? disk bytes\b/.test(name)) return {kind: 'bytes', factor: 1};
  if (/\bbytes.*\/sec/.test(name)) return {kind: 'bytes_rate', factor: 1};
  if (name.includes('bandwidth')) return {kind: 'bits_rate', factor: 1};
  if (/\bsec\/|elapsed time|\bup time\b/.test(name)) return {kind: 'seconds', factor: 1};
  if (/\/sec\b/.test(name)) return {kind: 'rate', factor: 1};
  if (/megabytes|\bmbytes\b|\(mb\)/.test(name)) return {kind: 'bytes', factor: 1048576};
  if (/kilobytes|\bkbytes\b|\(kb\)/.test(name)) return {kind: 'bytes', factor: 1024};
  if (/\bbytes\b|working set|\bpool\b.*bytes/.test(name)) return {kind: 'bytes', factor: 1};
  return {kind: 'number', factor: 1};
}

function bits(value) {
  const units = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'];
  let unit = 0;
  let size = value;
  while (Math.abs(size) >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    ++unit;
  }
  return `${plain(size)} ${units[unit]}`;
}

const TEXTS = {
  percent: (value) => `${formatter({minimumFractionDigits: 1, maximumFractionDigits: 1}).format(value)} %`,
  bytes,
  bytes_rate: (value) => `${bytes(value)}/s`,
  bits_rate: bits,
  rate: (value) => `${plain(value)}/s`,
  seconds: duration,
  number: plain,
};

/** @param {number} value as the API has it @param {{kind, factor}} unit of unitOf() */
export function readable(value, unit) {
  return TEXTS[unit.kind](value * unit.factor);
}

/** For the axis of a chart: the same without a tail of zeros. */
export function onAxis(value, unit) {
  const scaled = value * unit.factor;
  if (unit.kind === 'percent') return `${plain(scaled)} %`;
  if (unit.kind === 'bytes') return bytesText(scaled, false);
  if (unit.kind === 'bytes_rate') return `${bytesText(scaled, false)}/s`;
  return readable(value, unit);
}
