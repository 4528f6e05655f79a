// What a search among counters has found, and pieces of the configuration.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {excerpt, groupHits, hitPieces, isHit} from '../../../../exporter/page/screens/counters/groups.js';
import {unitOfCounter} from '../../../../exporter/page/screens/counters/units.js';
import {countersetsSnippet, yamlText} from '../../../../exporter/page/text/snippets.js';

const counter = (counterset, name, help = '', localName = null) => ({counterset, name, help, local_name: localName});

test('a text is cut at its hits, whatever their case, and stays whole', () => {
  assert.deepEqual(hitPieces('Disk Queue, disk', 'DISK'), ['', 'Disk', ' Queue, ', 'disk', '']);
  assert.deepEqual(hitPieces('Memory', 'x'), ['Memory']);
  assert.deepEqual(hitPieces('Memory', ''), ['Memory']);
  const same = '% C1 (x) [a]\\';
  for (const [text, query] of [[same, same], ['aaaa', 'aa'], ['a*b', '*'], ['<img>', 'IMG'], ['ﬀ \u{1f600}ß', '\u{1f600}']]) {
    const pieces = hitPieces(text, query);
    assert.equal(pieces.join(''), text);
    assert.equal(pieces.length % 2, 1);
    assert.ok(pieces.length > 1, text);
  }
});

test('characters of patterns are searched as they are', () => {
  assert.equal(isHit('a.c', '.'), true);
  assert.equal(isHit('abc', '.'), false);
  assert.equal(isHit(null, 'a'), false);
  assert.equal(isHit('', 'a'), false);
});

test('an object that matches by its name comes first, and without counters that match only because of it', () => {
  const counters = [counter('Cache', 'Disk Reads'), counter('LogicalDisk', 'Free Megabytes'), counter('LogicalDisk', '% Disk Time')];
  const found = groupHits('disk', ['Cache', 'LogicalDisk', 'Memory', 'PhysicalDisk'], counters, new Map());
  assert.deepEqual(found.groups.map(({name}) => name), ['LogicalDisk', 'PhysicalDisk', 'Cache']);
  assert.deepEqual(found.groups[0].counters, [{name: '% Disk Time', localName: null, help: null}]);
  assert.deepEqual([found.counters, found.instances, found.leftOut], [2, 0, 0]);
});

test('a hit in the help is shown with its words, one in a local name without', () => {
  const help = `${'Many words before. '.repeat(10)}The length of the queue at the time. ${'Many words after. '.repeat(10)}`;
  const found = groupHits('queue', [], [counter('System', 'Threads', help), counter('System', 'Länge', '', 'Queue')], new Map());
  const [first, second] = found.groups[0].counters;
  assert.match(first.help, /^… .*queue.* …$/);
  assert.ok(first.help.length < 110);
  assert.deepEqual(second, {name: 'Länge', localName: 'Queue', help: null});
});

test('an excerpt of a short help is the help', () => {
  assert.equal(excerpt('The queue.', 'queue'), 'The queue.');
  assert.equal(excerpt('x'.repeat(200), 'queue'), 'x'.repeat(200));
});

test('few instances of an object are named, and the others counted', () => {
  const names = Array.from({length: 9}, (_, index) => `svchost#${index}`);
  const found = groupHits('svc', [], [], new Map([['Process', names], ['Thread', []]]));
  assert.equal(found.groups.length, 1);
  assert.deepEqual([found.groups[0].instances.length, found.groups[0].moreInstances, found.instances], [6, 3, 9]);
});

test('no more counters are listed than anybody reads', () => {
  const counters = Array.from({length: 500}, (_, index) => counter('Many', `a${index}`));
  const found = groupHits('a', [], counters, new Map());
  assert.deepEqual([found.counters, found.leftOut, found.groups[0].counters.length], [200, 300, 200]);
});

test('a name stays one in YAML', () => {
  assert.equal(yamlText("it's: #1 - *x"), "'it''s: #1 - *x'");
  assert.equal(yamlText('a\nb"'), '"a\\nb\\""');
  assert.equal(countersetsSnippet(['Process V2', "O'Brien"]), "countersets:\n  - 'Process V2'\n  - 'O''Brien'\n");
});

test('what the name does not say, a metric of the same value does', () => {
  const metric = (unit, promql = 'm') => ({name: 'm', unit, promql});
  assert.deepEqual(unitOfCounter({name: 'Commit Limit', metrics: [metric(null), metric('bytes')]}), {kind: 'bytes', factor: 1});
  const others = [metric('bytes', 'm / 1024'), metric('bytes', null)];
  assert.deepEqual(unitOfCounter({name: 'Commit Limit', metrics: others}), {kind: 'number', factor: 1});
  assert.deepEqual(unitOfCounter({name: 'Free Megabytes', metrics: [metric('bytes')]}), {kind: 'bytes', factor: 1048576});
  assert.deepEqual(unitOfCounter({name: 'Threads'}), {kind: 'number', factor: 1});
});
