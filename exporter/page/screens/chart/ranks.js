// Which of the counters that were found is meant.

/**
 * What begins with the word comes first, then what has it in its name, then what has it in its help.
 * @param {Array<{name: string, counterset: string}>} counters @param {string} word in small letters
 */
export function ranked(counters, word) {
  const rank = ({name, counterset}) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(word) || lower.startsWith(`% ${word}`)) return 0;
    if (lower.includes(word)) return 1;
    return counterset.toLowerCase().startsWith(word) ? 1 : counterset.toLowerCase().includes(word) ? 2 : 3;
  };
  return counters.map((counter) => ({counter, rank: rank(counter)})).sort((one, other) => one.rank - other.rank)
    .map(({counter}) => counter);
}
