// In which order a table has its rows, and how it keeps their place while somebody reads; pure functions.

const collator = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'});

/**
 * Compares rows by the values of a column. What has no value comes last, whichever way it is sorted.
 * @param {function(Object): (number|string|null|undefined)} valueOf
 * @param {boolean} descending
 * @param {function(Object): string} [tie] orders rows of the same value, always ascending
 */
export function comparison(valueOf, descending, tie = () => '') {
  const sign = descending ? -1 : 1;
  return (one, other) => {
    const order = compareValues(valueOf(one), valueOf(other), sign);
    if (order !== 0) return order;
    const first = tie(one);
    const second = tie(other);
    return first < second ? -1 : first > second ? 1 : 0;
  };
}

function compareValues(one, other, sign) {
  const has = isThere(one);
  if (has !== isThere(other)) return has ? -1 : 1;
  if (!has) return 0;
  if (typeof one === 'number' && typeof other === 'number') return one === other ? 0 : one < other ? -sign : sign;
  return sign * collator.compare(String(one), String(other));
}

function isThere(value) {
  return value !== null && value !== undefined && value !== '' && !Number.isNaN(value);
}

/**
 * The rows in the order that they had: known ones keep their place, new ones come last, and those that are gone stay where they
 * were, so that nothing moves under the eye or the pointer.
 * @param {Object[]} order before
 * @param {Object[]} rows now
 * @param {function(Object): string} keyOf
 * @param {number} mostGone so many rows that are gone are kept; more would grow without end
 * @returns {{order: Object[], gone: Set<string>}} keys of the rows that are gone
 */
export function heldOrder(order, rows, keyOf, mostGone) {
  const now = new Map(rows.map((row) => [keyOf(row), row]));
  const held = [];
  const gone = new Set();
  for (const row of order) {
    const key = keyOf(row);
    const current = now.get(key);
    if (current) now.delete(key);
    else if (gone.size < mostGone) gone.add(key);
    else continue;
    held.push(current ?? row);
  }
  held.push(...now.values());
  return {order: held, gone};
}
