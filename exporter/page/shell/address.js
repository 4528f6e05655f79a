// The address of a screen: #/chart?c=\Memory\Available Bytes&since=1h. All of what is shown stands in it, so that it can be sent
// to a colleague.

/** @returns {{screen: string, params: URLSearchParams}} of the window's address */
export function readAddress() {
  const [path, query] = splitAtFirst(location.hash.replace(/^#\/?/, ''), '?');
  return {screen: path, params: new URLSearchParams(query)};
}

function splitAtFirst(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * @param {string} screen
 * @param {Object|URLSearchParams} [params] lists are repeated; null, undefined and '' are left out
 * @returns {string} for href; keeps the machine that is shown, unless params name one
 */
export function addressOf(screen, params = {}) {
  const query = params instanceof URLSearchParams ? new URLSearchParams(params) : new URLSearchParams();
  if (!(params instanceof URLSearchParams)) {
    for (const [name, value] of Object.entries(params)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== null && one !== undefined && one !== '') query.append(name, one);
      }
    }
  }
  const now = readAddress().params;
  if (!('target' in params) && !query.has('target')) {
    for (const name of ['target', 'module']) if (now.get(name)) query.set(name, now.get(name));
  }
  const text = query.toString();
  return `#/${screen}${text ? `?${text}` : ''}`;
}

/** Goes to a screen, as a click on a link does. */
export function goTo(screen, params) {
  location.hash = addressOf(screen, params);
}

/** Changes what the address says of the screen that is shown, without a step in the browser's history. */
export function noteAddress(screen, params) {
  history.replaceState(history.state, '', addressOf(screen, params));
}
