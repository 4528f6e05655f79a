// What the overview follows, what it says is wrong, and how it counts.

import './here.mjs';

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

const {ofAnnotations, ofCountersets, ofDiagnosis, ofMachine, ofVolumes, ordered} =
  await import('../../../../exporter/page/screens/overview/findings.js');
const {ofLoad} = await import('../../../../exporter/page/screens/overview/load.js');
const {planOf, wantedOf} = await import('../../../../exporter/page/screens/overview/plan.js');
const {activeTime, columnsFor, instancesOf, isOn, sums, volumesOf} =
  await import('../../../../exporter/page/screens/overview/values.js');
const {asSentence} = await import('../../../../exporter/page/text/sentence.js');

const counterset = (name, more = {}) => ({
  name, object: name, status: 'ok', reason: null, sentence: null, repair: [], interval_seconds: 5, age_seconds: 3, ...more,
});

describe('what is followed', () => {
  const cpu = (counters, names = ['Processor Information']) => planOf(names.map((name) => counterset(name)),
    new Map(names.map((name) => [name, counters]))).sources.cpu;

  test('Task Manager’s number where there is one, else the time', () => {
    assert.equal(cpu(['% Processor Time', '% Processor Utility']).main, '% Processor Utility');
    assert.equal(cpu(['% Processor Time', '% User Time']).main, '% Processor Time');
    assert.deepEqual(cpu(['% Processor Time', '% User Time']).paths,
      ['\\Processor Information(*)\\% Processor Time', '\\Processor Information(_Total)\\% User Time']);
    assert.equal(cpu(['% Processor Time'], ['Processor']).name, 'Processor');
    assert.equal(cpu(['% Processor Time'], ['Processor', 'Processor Information']).name, 'Processor Information');
  });

  test('only counters that the machine samples, and at most as many as a stream may have', () => {
    const names = ['Processor Information', 'System', 'Memory', 'Paging File', 'PhysicalDisk', 'LogicalDisk', 'Network Interface'];
    const all = new Map(names.map((name) => [name, ['% Free Space', '% Idle Time', 'Available Bytes', '% Usage', 'Threads']]));
    const {paths} = planOf(names.map((name) => counterset(name)), all);
    assert.deepEqual(paths, ['\\System\\Threads', '\\Memory\\Available Bytes', '\\Paging File(*)\\% Usage',
      '\\PhysicalDisk(*)\\% Idle Time', '\\LogicalDisk(*)\\% Free Space']);
    const everything = planOf(names.map((name) => counterset(name)), new Map(names.map((name) => [name, [...anyCounter()]])));
    assert.ok(everything.paths.length <= 50);
  });

  // Whatever is asked for is there.
  function* anyCounter() {
    yield* ['% Processor Utility', '% Privileged Time', '% User Time', '% Interrupt Time', '% DPC Time', 'Processor Queue Length',
      'Processes', 'Threads', 'Context Switches/sec', 'Available Bytes', 'Committed Bytes', 'Commit Limit', 'Cache Bytes',
      'Pool Paged Bytes', 'Pool Nonpaged Bytes', 'Page Reads/sec', 'Modified Page List Bytes', 'Standby Cache Reserve Bytes',
      'Standby Cache Normal Priority Bytes', 'Standby Cache Core Bytes', '% Usage', '% Idle Time', 'Avg. Disk sec/Transfer',
      'Current Disk Queue Length', 'Disk Read Bytes/sec', 'Disk Write Bytes/sec', '% Free Space', 'Free Megabytes',
      'Bytes Received/sec', 'Bytes Sent/sec', 'Current Bandwidth'];
  }

  test('why a resource has no numbers', () => {
    const stateOf = (countersets, known = new Map()) => planOf(countersets, known).sources.memory.state;
    assert.equal(stateOf([]), 'missing');
    assert.equal(stateOf([counterset('Memory', {status: 'pending'})]), 'waiting');
    assert.equal(stateOf([counterset('Memory', {status: 'failed'})]), 'failed');
    assert.equal(stateOf([counterset('Memory', {status: 'absent', object: null})]), 'absent');
    assert.equal(stateOf([counterset('Memory')], new Map([['Memory', ['Long-Term Average Standby Cache Lifetime (s)']]])), 'without');
    // It fails now; what it has been is followed on.
    assert.equal(stateOf([counterset('Memory', {status: 'failed'})], new Map([['Memory', ['Available Bytes']]])), 'sampled');
  });

  test('the volumes stand for disks that are not sampled, and are followed once', () => {
    const {sources, paths} = planOf([counterset('LogicalDisk')], new Map([['LogicalDisk', ['% Idle Time', '% Free Space']]]));
    assert.equal(sources.disks.name, 'LogicalDisk');
    assert.equal(sources.disks.wanted, 'PhysicalDisk');
    assert.deepEqual(paths, ['\\LogicalDisk(*)\\% Idle Time', '\\LogicalDisk(*)\\% Free Space']);
  });

  test('an absent counterset is not asked for its counters, and Process is the one to add', () => {
    assert.deepEqual(wantedOf([counterset('Memory', {status: 'absent'}), counterset('DNS'), counterset('System')]).map(({name}) => name),
      ['System']);
    assert.equal(planOf([], new Map()).sources.processes.wanted, 'Process');
  });
});

describe('what is wrong', () => {
  test('nothing, if all is fresh', () => {
    assert.deepEqual(ofCountersets([counterset('Memory'), counterset('DNS', {age_seconds: null})]), []);
  });

  test('a counterset that fails has its sentence and its repair', () => {
    const repair = [{command: 'net helpmsg 126', text: 'explains the system error'}];
    const [finding] = ofCountersets([counterset('Thing', {status: 'failed', reason: 'os_error', sentence: 'the query failed', repair})]);
    assert.deepEqual([finding.level, finding.word, finding.sentence, finding.repair], ['bad', 'Fails', 'The query failed.', repair]);
  });

  test('several that fail for one reason are one row, others have their own', () => {
    const bad = (name, reason) => counterset(name, {status: 'failed', reason, sentence: `${name} failed`});
    const findings = ofCountersets([bad('A', 'x'), bad('B', 'x'), bad('C', 'x'), bad('D', 'x'), bad('E', 'y')]);
    assert.deepEqual(findings.map(({sentence}) => sentence),
      ['4 countersets fail: “A”, “B”, “C” and 1 more. A failed.', 'E failed.']);
  });

  test('one that is stale or late says how old it is', () => {
    const findings = ofCountersets([counterset('A', {status: 'stale', age_seconds: 73.2}), counterset('B', {age_seconds: 12}),
      counterset('C', {age_seconds: 9}), counterset('D', {late_seconds: 6})]);
    assert.deepEqual(findings.map(({word}) => word), ['Stale', 'Late']);
    assert.equal(findings[1].sentence, '2 countersets are late: “B”, “D”.');
    assert.equal(findings[0].sentence, '“A” was last sampled 1 min 13 s ago, and should be each 5 s.');
  });

  test('those that wait are a note', () => {
    const [finding] = ofCountersets([counterset('A', {status: 'pending'})]);
    assert.deepEqual([finding.level, finding.sentence], ['note', '1 counterset waits for the first sample.']);
  });

  test('disks that are nearly full, but not those of the system’s own that always are', () => {
    const volume = (name, free, freeBytes = null) => ({name, free, freeBytes});
    const findings = ofVolumes([volume('C:', 9.99, 2 ** 30), volume('D:', 10), volume('E:', 4.2), volume('L:', 0.3), volume('F:', null),
      volume('HarddiskVolume1', 1)]);
    assert.deepEqual(findings.map(({level, sentence}) => [level, sentence]), [
      ['warn', 'C: has 1.00 GB (9 %) free.'], ['bad', 'E: has 4 % free.'], ['bad', 'L: has less than 1 % free.'],
    ]);
  });

  test('what was restarted, once for each thing, with the last time', () => {
    const mark = (kind, subject, time) => ({kind, subject, time, text: 'it ended'});
    const findings = ofAnnotations([mark('worker_lost', 'registry', 1), mark('worker_lost', 'registry', 2), mark('reloaded', null, 3),
      mark('started', null, 4)]);
    assert.deepEqual(findings.map(({word, sentence, time}) => [word, sentence, time]), [
      ['Restarted', 'The worker for registry was restarted. It ended. 2 times in the last hour, the last time at', 2],
      ['Started', 'The exporter started.', 4],
    ]);
  });

  test('a configuration that was refused is no trouble once one was applied', () => {
    const refused = {kind: 'reload_failed', subject: null, time: 5, text: 'unknown key'};
    assert.equal(ofAnnotations([refused]).length, 1);
    assert.equal(ofAnnotations([refused, {kind: 'reloaded', subject: null, time: 6, text: ''}]).length, 0);
    assert.equal(ofAnnotations([{kind: 'reloaded', subject: null, time: 4, text: ''}, refused]).length, 1);
  });

  test('a machine that has just started is a note', () => {
    assert.equal(ofMachine({uptime_seconds: null, boot_time: null}).length, 0);
    assert.equal(ofMachine({uptime_seconds: 3601, boot_time: null}).length, 0);
    assert.equal(ofMachine({uptime_seconds: 60, boot_time: '2026-11-28T12:00:00Z'})[0].time, Date.UTC(2026, 10, 28, 12));
  });

  test('of a diagnosis what has failed, and what stands beside it', () => {
    const entry = (status, sentence, also = []) => ({status, sentence, repair: [], also});
    const findings = ofDiagnosis({
      countersets: [entry('ok', 'healthy', [{severity: 'warning', sentence: 'it is slow', repair: []}]), entry('failed', 'it is broken')],
      checks: [entry('warning', 'no TLS'), entry('ok', 'fine')],
    });
    assert.deepEqual(findings.map(({level, sentence}) => [level, sentence]),
      [['warn', 'It is slow.'], ['bad', 'It is broken.'], ['warn', 'No TLS.']]);
  });

  test('the worst is first, and nothing is said twice', () => {
    const row = (level, sentence) => ({level, sentence});
    const rows = ordered([row('note', 'a'), row('bad', 'b'), row('warn', 'c'), row('bad', 'd'), row('warn', 'b')]);
    assert.deepEqual(rows.map(({sentence}) => sentence), ['b', 'd', 'c', 'a']);
  });
});

describe('numbers', () => {
  test('totals are no instances, and instances are in the order of their numbers', () => {
    const line = (name, ...values) => [name, {identity: {name}, values, reason: null}];
    const lines = [line('0,10', 1, 2), line('0,2', 1, null), line('_Total', 1, 2), line('0,3', 1, undefined)];
    const block = {times: [1, 2], lines: new Map(lines)};
    assert.deepEqual(instancesOf(block).map(({name}) => name), ['0,2', '0,10']);
    assert.deepEqual(instancesOf(undefined), []);
  });

  test('active time is as in Task Manager, and a missing value stays missing', () => {
    assert.deepEqual([97.5, -3, 104, null, undefined].map(activeTime), [2.5, 100, 0, null, undefined]);
    assert.deepEqual(sums([1, null, 3], [4, 5, undefined]), [5, null, null]);
  });

  test('volumes have their size from what is free of it', () => {
    const block = (value) => ({times: [1], lines: new Map([['C:', {identity: {name: 'C:'}, values: [value], reason: null}]])});
    const series = (free, megabytes) => ({block: (name, counter) => block(counter === '% Free Space' ? free : megabytes)});
    assert.deepEqual(volumesOf(series(25, 100), {name: 'LogicalDisk'}),
      [{name: 'C:', free: 25, freeBytes: 100 * 2 ** 20, totalBytes: 400 * 2 ** 20, reason: null}]);
    assert.equal(volumesOf(series(0, 0), {name: 'LogicalDisk'})[0].totalBytes, null);
    assert.equal(volumesOf(series(null, 5), {name: 'LogicalDisk'})[0].free, null);
  });

  test('a volume is on the disk that names its letter', () => {
    assert.ok(isOn('D:', '1 D: E:'));
    assert.ok(isOn('E:', 'E:'));
    assert.ok(!isOn('1', '1 D: E:'));
    assert.ok(!isOn('C:', '1 D: E:'));
  });

  test('rows of processors are full', () => {
    assert.deepEqual([0, 1, 6, 8, 12, 16, 24, 64, 96, 256].map(columnsFor), [1, 1, 6, 8, 6, 8, 12, 16, 32, 32]);
  });

  test('clauses become sentences, names stay as they are', () => {
    assert.deepEqual(['the query failed', 'winperf_exporter 0.2.0 began', '"A" failed', 'Done.', '', 'slow'].map(asSentence),
      ['The query failed.', 'winperf_exporter 0.2.0 began.', '"A" failed.', 'Done.', '', 'slow.']);
  });
});

describe('what has been busy for minutes', () => {
  const MINUTE = 60_000;
  // A value each minute, the last one now.
  const seriesOf = (counters) => ({block: (name, counter) => {
    const instances = counters[`${name} ${counter}`];
    if (!instances) return undefined;
    const lines = Object.entries(instances).map(([key, values]) => [key, {identity: {name: key}, values, reason: null}]);
    const count = Object.values(instances)[0].length;
    return {times: Array.from({length: count}, (_, index) => index * MINUTE), lines: new Map(lines)};
  }});
  const sources = Object.fromEntries([['cpu', 'C'], ['memory', 'M'], ['disks', 'D'], ['adapters', 'A']]
    .map(([resource, name]) => [resource, {name, main: '% Processor Time'}]));
  const said = (counters) => ofLoad(seriesOf(counters), sources).map(({level, sentence}) => `${level}: ${sentence}`);

  test('the processors: their mean, not a peak, and not before there are minutes of it', () => {
    const cpu = (...values) => said({'C % Processor Time': {_Total: values}});
    assert.deepEqual(cpu(5, 95, 96, 97, 98, 99, 100), ['warn: The processors were 98 % busy over the last 5 minutes.']);
    assert.deepEqual(cpu(100, 100, 20, 20, 20, 20, 100), []);
    assert.deepEqual(cpu(100, 100, 100), []);
    assert.deepEqual(cpu(100, null, undefined, null, 100, 100), ['warn: The processors were 100 % busy over the last 5 minutes.']);
  });

  test('the commit limit, as it is now', () => {
    const memory = (used) => said({'M Committed Bytes': {'': [used]}, 'M Commit Limit': {'': [100 * 2 ** 30]}});
    assert.deepEqual(memory(99 * 2 ** 30), ['bad: 99 % of the commit limit is in use: 99.0 GB of 100 GB.']);
    assert.deepEqual(memory(91 * 2 ** 30), ['warn: 91 % of the commit limit is in use: 91.0 GB of 100 GB.']);
    assert.deepEqual(memory(50 * 2 ** 30), []);
    assert.deepEqual(memory(null), []);
  });

  test('disks with their latency, and adapters by the busier direction', () => {
    const five = (value) => Array(6).fill(value);
    assert.deepEqual(said({'D % Idle Time': {'0 C:': five(1), '1 D:': five(50), _Total: five(0)},
      'D Avg. Disk sec/Transfer': {'0 C:': five(0.08)}}),
    ['warn: Disk 0 (C:) was 99 % active over the last 5 minutes, and a transfer takes 80 ms.']);
    assert.deepEqual(said({'A Bytes Received/sec': {nic: five(0)}, 'A Bytes Sent/sec': {nic: five(950)},
      'A Current Bandwidth': {nic: five(8000)}}), ['warn: nic used 95 % of its bandwidth over the last 5 minutes.']);
  });
});
