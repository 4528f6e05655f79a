// Pieces of the configuration file, to be copied into it; and texts as YAML has them.

/** A text in quotes, so that it stays one whatever it contains. */
export function yamlText(text) {
  // Control characters are possible only between double quotes, with the escapes of JSON.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text)) return JSON.stringify(text);
  return `'${text.replaceAll("'", "''")}'`;
}

/** What samples these countersets in addition to others. @param {string[]} names */
export function countersetsSnippet(names) {
  return `countersets:\n${names.map((name) => `  - ${yamlText(name)}\n`).join('')}`;
}
