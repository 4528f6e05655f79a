// How values become heights. Lines of one unit share an axis with that unit. Other lines are scaled as perfmon does it: each by a
// power of ten, with which it fits between 0 and 100.

export const SMALLEST = -9;
export const LARGEST = 9;
const TOP = 100;

export function isScale(power) {
  return Number.isInteger(power) && power >= SMALLEST && power <= LARGEST;
}

/** The largest power of ten with which a value is at most 100. */
export function powerFor(most) {
  if (!(most > 0)) return 0;
  let power = Math.min(LARGEST, Math.max(SMALLEST, Math.floor(Math.log10(TOP / most))));
  // The logarithm of a power of ten may be a bit too small.
  if (power < LARGEST && most * 10 ** (power + 1) <= TOP) ++power;
  return power;
}

/**
 * @param {Array<{unit: {kind: string, factor: number}, most: number, chosen: number|undefined}>} lines that are drawn: `most` is
 *     the greatest absolute value, `chosen` the power of ten that a person chose
 * @returns {{unit: {kind: string, factor: number}, factors: number[], powers: Array<number|null>, top: number|undefined}} the
 *     unit of the axis, by what each line's values are multiplied, the powers of ten as the legend shows them (null: its unit),
 *     and the top of the axis if it doesn't follow from the values
 */
export function scaling(lines) {
  const kinds = new Set(lines.map((line) => line.unit.kind));
  if (kinds.size <= 1 && lines.every((line) => line.chosen === undefined)) {
    const kind = lines[0]?.unit.kind ?? 'number';
    const most = Math.max(0, ...lines.map((line) => line.most * line.unit.factor));
    // Half full looks half full, but a load of 3 % is not flat.
    const top = kind === 'percent' && most > 50 && most <= TOP ? TOP : undefined;
    return {unit: {kind, factor: 1}, factors: lines.map((line) => line.unit.factor), powers: lines.map(() => null), top};
  }
  const powers = lines.map((line) => line.chosen ?? powerFor(line.most));
  const fits = lines.every((line, index) => line.most * 10 ** powers[index] <= TOP);
  return {unit: {kind: 'number', factor: 1}, factors: powers.map((power) => 10 ** power), powers, top: fits ? TOP : undefined};
}

/** As perfmon writes it: 1.0, 0.001, 1000. */
export function scaleText(power) {
  return power === 0 ? '1.0' : power > 0 ? `1${'0'.repeat(power)}` : `0.${'0'.repeat(-power - 1)}1`;
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Shorter: ×10⁻⁸. */
export function powerText(power) {
  const digits = [...String(Math.abs(power))].map((digit) => RAISED[digit]).join('');
  return `×10${power < 0 ? '⁻' : ''}${digits}`;
}
