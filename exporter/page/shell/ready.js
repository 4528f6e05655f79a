// Tells tests, and pictures, that a screen has its first data: data-ready of the root element is its name.

/** @param {string} screen @param {AbortSignal} signal of the screen */
export function ready(screen, signal) {
  if (!signal.aborted) document.documentElement.dataset.ready = screen;
}
