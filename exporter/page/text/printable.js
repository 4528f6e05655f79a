// Names of the machine, made safe to read, as the commands do (collectors/base/printable.h): a character that steers a terminal or
// the direction of the text around it is spelled out, such as \u202e.

const STEERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Line feeds stay; the style sheet decides what they do. */
export function printable(text) {
  return text.replace(STEERS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
