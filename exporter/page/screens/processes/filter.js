// Which processes a text finds; pure functions.

/**
 * @param {string} text
 * @returns {function(import('./rows.js').Row): boolean} whether each word of the text is in the name, the id, the owner or the
 *     command line; case does not matter
 */
export function finder(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (row) => words.every((word) => isIn(word, row.name) || String(row.pid).includes(word) || isIn(word, row.owner) ||
    isIn(word, row.command));
}

function isIn(word, text) {
  return Boolean(text) && text.toLowerCase().includes(word);
}
