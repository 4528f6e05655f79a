// The lines of server-sent events, however they are cut into pieces.

import './here.mjs';
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {EventLines} from '../../../../exporter/page/data/stream.js';

function eventsOf(...pieces) {
  const events = [];
  const lines = new EventLines((event) => events.push(event));
  for (const piece of pieces) lines.add(piece);
  return events;
}

test('an event has an id, a name and data', () => {
  assert.deepEqual(eventsOf('id: 7\nevent: lost\ndata: {"reason":"x"}\n\n'), [{id: '7', name: 'lost', data: '{"reason":"x"}'}]);
  assert.deepEqual(eventsOf('data\n\n'), [{id: null, name: 'message', data: ''}]);
});

test('the ends of lines may be of any kind, and be cut anywhere', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['id: 1', 'data: a', 'data: b: c', '', 'event: lost', 'data:  two spaces', '', 'data: "the last"', '', ': end'].join(end);
    const whole = eventsOf(text);
    assert.deepEqual(whole, [
      {id: '1', name: 'message', data: 'a\nb: c'}, {id: '1', name: 'lost', data: ' two spaces'},
      {id: '1', name: 'message', data: '"the last"'},
    ]);
    assert.deepEqual(eventsOf(...text), whole, 'character by character');
    for (let at = 0; at <= text.length; ++at) assert.deepEqual(eventsOf(text.slice(0, at), text.slice(at)), whole, `cut at ${at}`);
  }
});

test('CR and LF in two pieces are one end of a line', () => {
  assert.deepEqual(eventsOf('data: a\r', '\n\r', '\ndata: b\r', '\n\r\n'), [
    {id: null, name: 'message', data: 'a'}, {id: null, name: 'message', data: 'b'},
  ]);
});

test('an event is not told before its empty line, and without data not at all', () => {
  assert.deepEqual(eventsOf('data: a\n'), []);
  assert.deepEqual(eventsOf('event: lost\n\ndata: a\n\n'), [{id: null, name: 'message', data: 'a'}]);
  assert.deepEqual(eventsOf('id: 5\n\ndata: a\n\n'), [{id: '5', name: 'message', data: 'a'}]);
});

test('comments and unknown fields are left out', () => {
  assert.deepEqual(eventsOf(': alive\nretry: 10\nother\ndata:a\n\n'), [{id: null, name: 'message', data: 'a'}]);
});

test('an id with NUL does not count, and an empty one does', () => {
  assert.deepEqual(eventsOf('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\n').map(({id}) => id), ['1', '1', '']);
});
