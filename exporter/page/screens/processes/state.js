// What of the screen stands in the address; pure functions.

const SHOWS = ['all', 'started', 'ended'];

/**
 * @param {URLSearchParams} params
 * @returns {{at: number|null, pid: number|null, text: string, sort: {column: string, descending: boolean}, isTree: boolean,
 *     show: string}} `at` in milliseconds, null for now
 */
export function stateOf(params) {
  const at = Date.parse(params.get('at') ?? '');
  const pid = params.get('pid') ?? '';
  const sort = params.get('sort') ?? '-cpu';
  const show = params.get('show');
  return {
    at: at >= 0 ? at : null,
    pid: /^\d+$/.test(pid) ? Number(pid) : null,
    text: params.get('q') ?? '',
    sort: {column: sort.replace(/^-/, ''), descending: sort.startsWith('-')},
    isTree: params.get('tree') === '1',
    show: SHOWS.includes(show) ? show : 'all',
  };
}

/** The same for addressOf(); what is as it would be anyway is left out. */
export function paramsOf({at, pid, text, sort, isTree, show}) {
  const order = `${sort.descending ? '-' : ''}${sort.column}`;
  return {
    at: at === null ? null : new Date(at).toISOString(),
    pid: pid === null ? null : String(pid),
    q: text,
    sort: order === '-cpu' ? null : order,
    tree: isTree ? '1' : null,
    show: show === 'all' ? null : show,
  };
}

const SPAN_MS = 15 * 60_000;

/** The quarter of an hour up to now, or around a moment. */
export function spanOf(at, now) {
  if (at === null) return [now - SPAN_MS, now];
  const until = Math.min(now, at + SPAN_MS / 2);
  return [until - SPAN_MS, until];
}
