// Elements are made here, so that texts from the machine can only become text, and readable text: nothing in the page parses markup.

import {printable} from '../text/printable.js';

/**
 * @param {string} tag
 * @param {Object} [attributes] `class`, ARIA and other attributes as strings; functions called `on...` listen to that event;
 *     `true` sets an attribute without a value; false, null and undefined leave it out
 * @param {...(Node|string|number|null|Array)} children texts become text nodes
 */
export function element(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same in SVG. */
export function drawing(tag, attributes, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : attributeText(name, String(value)));
  }
  append(made, children);
  return made;
}

function append(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.append(child);
    else if (child !== null && child !== undefined && child !== false) parent.append(printable(String(child)));
  }
}

/** Sets a text only if it is another one, so that a screen reader and the layout see only what changes. */
export function setText(node, text) {
  const shown = printable(text ?? '');
  if (node.textContent !== shown) node.textContent = shown;
}

export function setAttribute(node, name, value) {
  if (value === null || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== attributeText(name, value)) node.setAttribute(name, attributeText(name, value));
}

// Those that people read.
function attributeText(name, value) {
  return name === 'title' || name === 'aria-label' ? printable(value) : value;
}

export function replaceChildren(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/**
 * Keeps the children of `parent` equal to `items`: an element that has been made for a key is updated and moved, not made again,
 * so that focus and selection survive.
 * @param {Element} parent whose children only this function makes
 * @param {Array} items
 * @param {(item) => string} keyOf
 * @param {(item) => Element} make
 * @param {(element: Element, item) => void} update also called for a new one
 */
export function keep(parent, items, keyOf, make, update) {
  const known = parent.keptChildren ?? (parent.keptChildren = new Map());
  const wanted = new Set();
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    if (wanted.has(key)) continue;
    wanted.add(key);
    let child = known.get(key);
    if (!child) known.set(key, (child = make(item)));
    update(child, item);
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
  }
  for (const [key, child] of known) {
    if (wanted.has(key)) continue;
    child.remove();
    known.delete(key);
  }
}
