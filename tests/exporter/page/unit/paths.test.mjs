// Perfmon's paths, with names that have what separates them.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {instanceKey, instanceText, isTotal, partsOf, pathOf, processOf} from '../../../../exporter/page/text/paths.js';

test('a path is taken apart as it was put together', () => {
  const instances = [
    null, '*', '_Total', 'w3wp#12', 'a)', ')', 'C:\\Program Files (x86)', 'a)\\b', 'parent/child#1', '#', 'x(y)z', 'a\\b', '', ' ', '%',
    '\u202eexe', '<b>', 'émoji 🙂',
  ];
  const counters = ['% Processor Time', 'Read Time (ms)', 'Avg. Disk sec/Read', 'a)b'];
  for (const instance of instances) {
    for (const counter of counters) {
      const path = pathOf('Some Object', instance, counter);
      assert.deepEqual(partsOf(path), {counterset: 'Some Object', instance, counter}, path);
    }
  }
});

test('perfmon\'s own spelling', () => {
  assert.equal(pathOf('Memory', null, 'Available Bytes'), '\\Memory\\Available Bytes');
  assert.equal(pathOf('Thread', 'w3wp/3#1', 'Context Switches/sec'), '\\Thread(w3wp/3#1)\\Context Switches/sec');
  assert.deepEqual(partsOf('\\Web Service\\Total (all) Requests'), {
    counterset: 'Web Service', instance: null, counter: 'Total (all) Requests',
  });
});

test('what is no path is none', () => {
  const none = ['', '\\', '\\\\', '\\Memory', '\\Memory\\', 'Memory\\Available Bytes', '\\Process(a)', '\\Process(a)\\',
    '\\\\SRV01\\Memory\\Available Bytes', '\\\\SRV01\\Process(a)\\ID Process'];
  for (const path of none) assert.equal(partsOf(path), null, path);
});

test('an instance reads the same from each document', () => {
  assert.equal(instanceText({name: 'w3wp', duplicate: 2}), 'w3wp#2');
  assert.equal(instanceText({instance: 'w3wp', instance_number: 2}), 'w3wp#2');
  assert.equal(instanceText({name: 'w3wp', duplicate: 0}), 'w3wp');
  assert.equal(instanceText({name: '3', parent: 'w3wp'}), 'w3wp/3');
  assert.equal(instanceText({name: '3', duplicate: 1, parent: {name: 'w3wp', duplicate: 4}}), 'w3wp#4/3#1');
  assert.equal(instanceText({instance: 'a)\\b#1'}), 'a)\\b#1');
  assert.equal(instanceText({}), '');
});

test('a process is the same as long as its id, whatever its number', () => {
  const before = {name: 'w3wp', duplicate: 1, process_id: 100};
  assert.equal(instanceKey(before), instanceKey({instance: 'w3wp', instance_number: 0, process_id: 100}));
  assert.notEqual(instanceKey(before), instanceKey({name: 'w3wp', duplicate: 1, process_id: 200}));
  assert.notEqual(instanceKey(before), instanceKey({name: 'other', process_id: 100}));
  assert.notEqual(instanceKey({name: '1', process_id: 100, thread_id: 1}), instanceKey({name: '1', process_id: 100, thread_id: 2}));
  assert.notEqual(instanceKey({name: 'Idle', process_id: 0}), instanceKey({name: 'Idle'}));
  assert.equal(instanceKey({name: 'C:', process_id: null}), 'C:');
});

test('a total is told by its name', () => {
  assert.deepEqual(['_Total', '0,_Total', 'Total', 'my_Total'].map(isTotal), [true, true, false, false]);
});

test('a process of Process V2 has its id in its name', () => {
  assert.deepEqual(processOf({instance: 'svchost:812'}), {name: 'svchost', pid: 812});
  assert.deepEqual(processOf({instance: 'a:b', process_id: 4}), {name: 'a:b', pid: 4});
  assert.deepEqual(processOf({instance: 'a:12', process_id: 4}), {name: 'a:12', pid: 4});
  assert.deepEqual(processOf({name: 'svchost:812', process_id: 812}), {name: 'svchost', pid: 812});
  assert.deepEqual(processOf({instance: 'System'}), {name: 'System', pid: null});
});
