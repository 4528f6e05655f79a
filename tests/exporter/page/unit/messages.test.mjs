// The messages of the log, as they come.

import './here.mjs';
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Messages} from '../../../../exporter/page/screens/health/message_list.js';

const message = (time, text, event = 'source_notice', subject = null) => ({time, level: 'warn', event, subject, text});
const texts = (messages) => messages.all().map(({text}) => text).join(' ');

test('what the API gives again is there once', () => {
  const messages = new Messages();
  assert.equal(messages.lastTime(), null);
  assert.equal(messages.add([message('1', 'a'), message('2', 'b')]), true);
  assert.equal(messages.lastTime(), '2');
  assert.equal(messages.add([message('2', 'b')]), false);
  assert.equal(messages.add([message('2', 'b'), message('2', 'c'), message('3', 'd')]), true);
  assert.equal(messages.add([]), false);
  assert.equal(texts(messages), 'a b c d');
});

test('each message has a key of its own, also one that is said twice', () => {
  const messages = new Messages();
  messages.add([message('1', 'a'), message('2', 'a')]);
  messages.add([message('2', 'a'), message('3', 'a')]);
  assert.equal(new Set(messages.all().map(({key}) => key)).size, 3);
});

test('at most a thousand are kept, the newest', () => {
  const messages = new Messages();
  for (let turn = 0; turn < 30; ++turn) {
    messages.add(Array.from({length: 100}, (_, index) => message(String(turn * 100 + index + 10_000), String(turn * 100 + index))));
  }
  assert.equal(messages.all().length, 1000);
  assert.equal(messages.all().at(-1).text, '2999');
  assert.equal(messages.all()[0].text, '2000');
});

test('a counterset\'s last failure is found, unless it works again', () => {
  const messages = new Messages();
  messages.add([message('1', 'x', 'counterset_fails', 'Thing'), message('2', 'y', 'worker_lost', 'Thing')]);
  assert.equal(messages.lastAbout('Thing').text, 'x');
  assert.equal(messages.lastAbout('Other'), null);
  messages.add([message('3', 'z', 'counterset_works', 'Thing')]);
  assert.equal(messages.lastAbout('Thing'), null);
});
