// What becomes of questions that are refused, or that have no answer.

import './here.mjs';

import assert from 'node:assert/strict';
import {afterEach, test} from 'node:test';

const {ApiError, untilAnswered, whenVisible} = await import('../../../../exporter/page/data/api.js');
const {connection} = await import('../../../../exporter/page/data/connection.js');
const {history} = await import('../../../../exporter/page/data/history.js');
const {follow} = await import('../../../../exporter/page/data/stream.js');

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
});

const problem = (status, members) => new Response(JSON.stringify({status, ...members}),
  {status, headers: {'Content-Type': 'application/problem+json'}});

test('a stream that is refused is told', async () => {
  globalThis.fetch = async () => problem(429, {detail: '20 event streams are already open'});
  const end = new AbortController();
  const told = [];
  await follow(['\\Memory\\Available Bytes'], {event() {}, lost() {}, error(error) {
    told.push(error.detail);
    end.abort();
  }}, end.signal);
  assert.deepEqual(told, ['20 event streams are already open']);
});

test('a page to log in that answers is no connection', async () => {
  globalThis.fetch = async () => new Response('<!DOCTYPE html>', {headers: {'Content-Type': 'text/html'}});
  await assert.rejects(history(['\\Memory\\Available Bytes'], {since: 0}), {status: 0, detail: /log in/});
  assert.equal(connection.state, 'lost');
});

test('of an answer that would be too long, each path is asked for, and then longer steps', async () => {
  const asked = [];
  globalThis.fetch = async (url) => {
    const paths = url.searchParams.getAll('path');
    const step = url.searchParams.get('step');
    asked.push(`${paths.length} ${step}`);
    if (paths.length > 1 || step === '1s') return problem(400, {detail: 'step must be longer', parameter: 'step', most_values: 100_000});
    return Response.json({counters: [{counterset: 'Thing', counter: paths[0].slice(-1), times: [], instances: []}]});
  };
  const counters = await history(['\\Thing(*)\\a', '\\Thing(*)\\b'], {since: 0, step: 1});
  assert.deepEqual(counters.map(({counter}) => counter), ['a', 'b']);
  assert.deepEqual(asked.sort(), ['1 1s', '1 1s', '1 2s', '1 2s', '2 1s']);
});

test('any other refusal is no reason to ask again', async () => {
  let count = 0;
  globalThis.fetch = async () => {
    ++count;
    return problem(400, {detail: 'path: the answer would have more than 1 values', parameter: 'path'});
  };
  await assert.rejects(history(['\\a\\b', '\\a\\c'], {since: 0, step: 1}), ApiError);
  assert.equal(count, 1);
});

test('what has ended waits for nothing', async () => {
  const end = AbortSignal.abort();
  await whenVisible(end);
  await assert.rejects(untilAnswered(async () => {
    throw new ApiError(0, 'no answer');
  }, end), {name: 'AbortError'});
});
