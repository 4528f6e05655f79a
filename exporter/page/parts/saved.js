// Saves what the page has made as a file.

/** @param {Blob} blob @param {string} name of the file */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[\\/:*?"<>|\u0000-\u001f]/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
