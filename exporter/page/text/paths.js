// Paths as perfmon writes them: \Object(parent/instance#1)\Counter.

/**
 * @param {string} counterset
 * @param {string|null} instance as perfmon shows it, or * for all; null for a counterset without instances
 * @param {string} counter
 */
export function pathOf(counterset, instance, counter) {
  return instance === null ? `\\${counterset}\\${counter}` : `\\${counterset}(${instance})\\${counter}`;
}

/**
 * Null unless it is one; one with a machine, \\SRV01\..., is none here. The instance may have parentheses and backslashes, the
 * counter parentheses.
 */
export function partsOf(path) {
  if (!path.startsWith('\\')) return null;
  const open = path.indexOf('(');
  const close = path.lastIndexOf(')\\');
  const first = path.indexOf('\\', 1);
  if (open > 1 && close > open && close + 2 < path.length && (first < 0 || open < first)) {
    return {counterset: path.slice(1, open), instance: path.slice(open + 1, close), counter: path.slice(close + 2)};
  }
  if (first < 2 || first + 1 === path.length) return null;
  return {counterset: path.slice(1, first), instance: null, counter: path.slice(first + 1)};
}

/**
 * An instance as perfmon shows it, from any document of the API: `sample` and `events` call its name `name` and its ordinal
 * `duplicate`; `range` and `top` call them `instance` and `instance_number`.
 */
export function instanceText(identity) {
  const name = identity.name ?? identity.instance ?? '';
  const number = identity.duplicate ?? identity.instance_number ?? 0;
  const parent = identity.parent ? `${typeof identity.parent === 'string' ? identity.parent : instanceText(identity.parent)}/` : '';
  return parent + name + (number > 0 ? `#${number}` : '');
}

/** Tells instances apart over time: a process by its id, since perfmon's number moves to another one when a process ends. */
export function instanceKey(identity) {
  const id = identity.process_id;
  const thread = identity.thread_id;
  if (id !== undefined && id !== null) return `${identity.name ?? identity.instance ?? ''}\u0000${id}\u0000${thread ?? ''}`;
  return instanceText(identity);
}

/** Whether an instance adds up others, as _Total and 0,_Total do. */
export function isTotal(name) {
  return /(^|,)_Total$/i.test(name);
}

/**
 * A process, from any document of the API: `Process V2` has the id in the name.
 * @returns {{name: string, pid: number|null}}
 */
export function processOf(identity) {
  const name = identity.name ?? identity.instance ?? '';
  const id = identity.process_id ?? null;
  const match = /^(.*):(\d+)$/s.exec(name);
  if (match && (id === null || id === Number(match[2]))) return {name: match[1], pid: Number(match[2])};
  return {name, pid: id};
}
