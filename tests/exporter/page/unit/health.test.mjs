// What Health says.

import './here.mjs';
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {findingsOf, isFinding} from '../../../../exporter/page/screens/health/findings.js';
import {
  blame, countByStatus, matches, providerRepair, restartsText, settingText, sourceText, standingOf, treatment, verdict,
} from '../../../../exporter/page/screens/health/words.js';

const countersets = (statuses) => Object.entries(statuses).flatMap(([status, count]) => Array.from({length: count}, () => ({status})));

test('the worst of all countersets is said in one sentence', () => {
  const said = (statuses) => verdict(countersets(statuses));
  assert.deepEqual(said({}), {mark: 'warn', text: 'No counterset is sampled'});
  assert.deepEqual(said({ok: 1}), {mark: 'good', text: 'The only counterset is fresh'});
  assert.deepEqual(said({ok: 1200}), {mark: 'good', text: 'All 1,200 countersets are fresh'});
  assert.deepEqual(said({ok: 2, pending: 1}), {mark: '', text: '1 of 3 countersets not read yet'});
  assert.deepEqual(said({ok: 2, absent: 1}), {mark: 'warn', text: '1 of 3 countersets cannot be read'});
  assert.deepEqual(said({ok: 2, stale: 2}), {mark: 'warn', text: '2 of 4 countersets are stale'});
  assert.deepEqual(said({ok: 1, stale: 1, failed: 1, absent: 1}), {mark: 'bad', text: '2 of 4 countersets cannot be read, 1 is stale'});
});

test('a status that the page does not know is counted', () => {
  assert.deepEqual(countByStatus([{status: 'ok'}, {status: 'asleep'}]), {failed: 0, stale: 0, absent: 0, pending: 0, ok: 1, asleep: 1});
});

test('only restarts that happened are listed', () => {
  assert.equal(restartsText({crashed: 0, timed_out: 0}), '');
  const text = restartsText({crashed: 4, exited: 0, timed_out: 1234, new_reason: 1});
  assert.equal(text, '4 × crashed, 1,234 × did not answer in time, 1 × new reason');
});

const HARMLESS = {provider: 'Disk', library: '', harms: 0, last_harm: '', quarantine_seconds: 0, apart_seconds: 0, error: null};

test('a provider that did harm is blamed, with when it is asked again', () => {
  assert.deepEqual([...blame(HARMLESS), ...treatment(HARMLESS)], []);
  assert.deepEqual(blame({...HARMLESS, error: 'system error 126'}), ['Its last query failed.', 'System error 126.']);
  const harm = {library: 'disk.dll', harms: 1, last_harm: 'it crashed', quarantine_seconds: 3.2, apart_seconds: 3596.4, error: 'x'};
  const guilty = {...HARMLESS, ...harm};
  assert.deepEqual(blame(guilty), ['Disk (disk.dll) damaged its process once.', 'It crashed.']);
  assert.deepEqual(treatment(guilty), [
    'It is not asked for another 4 s; then it is tried again.',
    'It runs in a process of its own for 59 min 57 s more, so that it cannot harm the others.',
  ]);
  assert.equal(blame({...guilty, harms: 1200, last_harm: ''}).join(), 'Disk (disk.dll) damaged its process 1,200 times.');
});

test('a provider that is trusted but fails is failing', () => {
  assert.equal(standingOf({state: 'trusted', error: null}).text, 'trusted');
  assert.deepEqual(standingOf({state: 'trusted', error: 'x'}), {mark: 'bad', text: 'failing', meaning: 'Its last query failed.'});
  assert.equal(standingOf({state: 'quarantine', error: 'x'}).mark, 'bad');
  assert.equal(standingOf({state: 'unheard of', error: null}).text, 'unheard of');
});

test('a name that a shell could take for more gets into no command', () => {
  const commands = (name) => providerRepair(name).map(({command}) => command).filter(Boolean);
  assert.deepEqual(commands('MSSQL$SQL'), ['winperf_exporter providers --try']);
  assert.deepEqual(commands('PerfDisk'), ['winperf_exporter providers "PerfDisk" --try', 'lodctr /D:"PerfDisk"']);
  for (const name of ['a" & del *', '`x`', '%PATH%', 'a\nb', '$(x)', '!x!', 'x;y', '"', '\u202ex', 'a\'b', '^']) {
    assert.deepEqual(commands(name), ['winperf_exporter providers --try'], name);
  }
});

test('a value of the configuration, and where it comes from', () => {
  assert.equal(settingText(null), null);
  assert.equal(settingText(''), '""');
  assert.equal(settingText(0), '0');
  assert.equal(settingText(false), 'false');
  assert.equal(settingText([]), '[]');
  assert.equal(settingText(['a', 2]), 'a, 2');
  assert.equal(settingText([{a: 1}]), '[{"a":1}]');
  assert.equal(settingText({a: 'x'}), '{"a":"x"}');
  assert.equal(sourceText({source: 'file', line: 4}, 'C:\\ProgramData\\winperf_exporter\\exporter.yaml'), 'exporter.yaml:4');
  assert.equal(sourceText({source: 'file', line: null}, null), 'file');
  assert.equal(sourceText({source: 'command line', option: '--listen'}, 'x'), 'command line: --listen');
  assert.equal(sourceText({source: 'default', line: null, option: null}, 'x'), 'default');
});

test('what is searched for may be in any text, whatever its case', () => {
  assert.ok(matches(['Memory', null], ' mem '));
  assert.ok(matches([], ''));
  assert.ok(!matches(['Memory', undefined], 'disk'));
  assert.ok(matches(['a (b) [c] \\d'], '[C] \\D'));
});

test('a diagnosis is one list, the worst first, with what else was found', () => {
  const one = {sentence: 's', repair: [], evidence: []};
  const diagnosis = {
    countersets: [
      {...one, name: 'A', status: 'ok', also: [{...one, severity: 'warning', sentence: 'slow'}, {...one, severity: 'note', sentence: 'n'}]},
      {...one, name: 'B', status: 'failed', also: []},
      {...one, name: 'C', status: 'absent'},
    ],
    checks: [{...one, name: 'facts', subject: 'os', status: 'failed'}, {...one, name: 'account', subject: '', status: 'ok'}],
  };
  const all = findingsOf(diagnosis);
  assert.deepEqual(all.map(({name, status}) => `${name} ${status}`), [
    'B failed', 'facts: os failed', 'A warning', 'C absent', 'A note', 'A ok', 'account ok',
  ]);
  assert.equal(all[2].text, 'slow');
  assert.equal(all.filter(isFinding).length, 4);
});
