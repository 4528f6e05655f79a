// What a search has found, grouped by object. Pure.

const MOST_COUNTERS = 200;
const MOST_INSTANCES = 6;

// As much as the API takes.
export const LONGEST_QUERY = 200;

/** Finds a text without regard to case. @returns {RegExp} with the flag g */
export function finder(text) {
  return new RegExp(text.slice(0, LONGEST_QUERY).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
}

/**
 * A text in pieces, of which every second one, from the second on, is what was searched.
 * @returns {string[]} an odd number of pieces; only one if there is no hit
 */
export function hitPieces(text, query) {
  if (!query) return [text];
  const pieces = [];
  let from = 0;
  for (const match of text.matchAll(finder(query))) {
    pieces.push(text.slice(from, match.index), match[0]);
    from = match.index + match[0].length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

export function isHit(text, query) {
  return Boolean(text) && finder(query).test(text);
}

/** The words of a help text around the hit. */
export function excerpt(help, query, width = 90) {
  const at = help.search(finder(query));
  if (at < 0 || help.length <= width) return help;
  const from = Math.max(0, Math.min(at - Math.floor(width / 3), help.length - width));
  const start = from === 0 ? 0 : help.indexOf(' ', from) + 1;
  return `${start > 0 ? '… ' : ''}${help.slice(start, start + width).trim()}${start + width < help.length ? ' …' : ''}`;
}

/**
 * @typedef {{name: string, isHit: boolean, counters: Array<{name: string, localName: string|null, help: string|null}>,
 *     instances: string[], moreInstances: number}} Group `help` is an excerpt, if only that has the hit
 * @param {string} query not empty
 * @param {string[]} objects names of all objects, also those that are not sampled
 * @param {Array} counters of /api/v1/counters
 * @param {Map<string, string[]>} instances the names that match, by counterset
 * @returns {{groups: Group[], counters: number, instances: number, leftOut: number}} objects that match by themselves first, and
 *     how many counters are shown, instances found, counters left out
 */
export function groupHits(query, objects, counters, instances) {
  const groups = new Map();
  const groupOf = (name) => {
    if (!groups.has(name)) groups.set(name, {name, isHit: isHit(name, query), counters: [], instances: [], moreInstances: 0});
    return groups.get(name);
  };
  for (const name of objects) if (isHit(name, query)) groupOf(name);
  let shown = 0;
  let leftOut = 0;
  for (const counter of counters) {
    const byName = isHit(counter.name, query) || isHit(counter.local_name, query);
    if (!byName && !isHit(counter.help, query)) continue;  // its object matches
    if (shown === MOST_COUNTERS) {
      ++leftOut;
      continue;
    }
    ++shown;
    const help = byName ? null : excerpt(counter.help, query);
    groupOf(counter.counterset).counters.push({name: counter.name, localName: counter.local_name ?? null, help});
  }
  let found = 0;
  for (const [name, names] of instances) {
    if (names.length === 0) continue;
    found += names.length;
    const group = groupOf(name);
    group.instances = names.slice(0, MOST_INSTANCES);
    group.moreInstances = names.length - group.instances.length;
  }
  const all = [...groups.values()];
  const byName = all.filter((group) => group.isHit);
  return {groups: [...byName, ...all.filter((group) => !group.isHit)], counters: shown, instances: found, leftOut};
}
