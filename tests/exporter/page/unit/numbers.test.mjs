// Numbers as people read them.

import './here.mjs';
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {bytes, duration, exact, onAxis, plain, readable, unitOf} from '../../../../exporter/page/text/numbers.js';

function same(function_, cases) {
  for (const [value, text] of cases) assert.equal(function_(value), text, `of ${value}`);
}

test('a number has three significant digits, and all before the point', () => {
  same(plain, [
    [0, '0'], [-0, '0'], [1, '1'], [1.234, '1.23'], [12.34, '12.3'], [123.4, '123'], [1234.5, '1,235'], [999.5, '1,000'],
    [999_999_999_999, '999,999,999,999'], [0.5, '0.5'], [0.0123, '0.0123'], [0.01234, '0.0123'], [0.9996, '1'], [-0.0123, '-0.0123'],
    [-1234.5, '-1,235'],
  ]);
});

test('a tiny number is not 0, and a huge one has a name', () => {
  same(plain, [
    [1e-9, '0.000000001'], [-1e-9, '-0.000000001'], [0.000999, '0.001'], [0.000123, '0.00012'],
  ]);
  // How a trillion is called depends on the age of the browser's words.
  assert.match(plain(1e12), /^1\s?(tn|T)$/);
  assert.match(plain(1.2345e13), /^12\.35\s?(tn|T)$/);
  assert.notEqual(plain(5e-324), '0');
});

test('whoever hovers sees all digits', () => {
  same(exact, [
    [0, '0'], [-0, '0'], [0.1, '0.1'], [1 / 3, '0.3333333333333333'], [123456789.125, '123,456,789.125'],
    [2 ** 53, '9,007,199,254,740,992'], [-17.5, '-17.5'],
  ]);
});

test('bytes have the unit in which no number is longer than three digits', () => {
  same(bytes, [
    [0, '0 B'], [1, '1 B'], [999, '999 B'], [999.49, '999 B'], [999.5, '0.98 KB'], [1023, '1.00 KB'], [1023.99, '1.00 KB'],
    [1024, '1.00 KB'], [1536, '1.50 KB'], [10 * 1024, '10.0 KB'], [99.94 * 1024, '99.9 KB'], [99.96 * 1024, '100 KB'],
    [999.4 * 1024, '999 KB'], [999.5 * 1024, '0.98 MB'], [1023.99 * 1024, '1.00 MB'], [2 ** 30, '1.00 GB'], [5.5 * 2 ** 40, '5.50 TB'],
    [2 ** 50, '1.00 PB'], [2 ** 60, '1.00 EB'], [2 ** 70, '1,024 EB'], [-2048, '-2.00 KB'],
  ]);
});

test('a length of time has two units, and none of which there are 60 or 1,000', () => {
  same(duration, [
    [0, '0 s'], [1e-9, '0.001 µs'], [0.00035, '350 µs'], [0.0009996, '1 ms'], [0.0124, '12.4 ms'], [0.9994, '999 ms'], [0.9996, '1 s'],
    [1, '1 s'], [3.21, '3.21 s'], [59.9, '59.9 s'], [59.96, '1 min'], [60, '1 min'], [245, '4 min 5 s'], [3599.4, '59 min 59 s'],
    [3599.6, '1 h'], [11520, '3 h 12 min'], [86399, '23 h 59 min'], [86400, '1 d'], [12 * 86400 + 4 * 3600, '12 d 4 h'],
    [-0.5, '-500 ms'], [-245, '-4 min 5 s'],
  ]);
});

test('what a counter counts is in its name', () => {
  const kinds = {
    percent: ['% Processor Time', '% Committed Bytes In Use', 'Percent Registry Quota In Use'],
    bytes: ['Committed Bytes', 'Working Set', 'Working Set - Private', 'Pool Paged Bytes', 'Avg. Disk Bytes/Read', '# Bytes in all Heaps'],
    bytes_rate: ['Disk Read Bytes/sec', 'Bytes Total/sec', 'Bytes Received/sec', 'BYTES SENT/SEC'],
    bits_rate: ['Current Bandwidth'],
    seconds: ['Avg. Disk sec/Read', 'Elapsed Time', 'System Up Time'],
    rate: ['Page Reads/sec', 'Context Switches/sec', 'Split IO/Sec'],
    number: ['Handle Count', 'Output Queue Length', 'Pool Paged Allocs', 'Processes', ''],
  };
  for (const [kind, names] of Object.entries(kinds)) {
    for (const name of names) assert.deepEqual(unitOf(name), {kind, factor: 1}, name);
  }
  assert.deepEqual(unitOf('Available MBytes'), {kind: 'bytes', factor: 2 ** 20});
  assert.deepEqual(unitOf('Free Megabytes'), {kind: 'bytes', factor: 2 ** 20});
  assert.deepEqual(unitOf('Available KBytes'), {kind: 'bytes', factor: 1024});
  assert.deepEqual(unitOf('Total Server Memory (KB)'), {kind: 'bytes', factor: 1024});
});

test('a value is shown in its unit', () => {
  const text = (value, counter) => readable(value, unitOf(counter));
  assert.equal(text(12.345, '% Processor Time'), '12.3 %');
  assert.equal(text(0, '% Processor Time'), '0.0 %');
  assert.equal(text(2048, 'Available MBytes'), '2.00 GB');
  assert.equal(text(1536, 'Disk Bytes/sec'), '1.50 KB/s');
  assert.equal(text(1e9, 'Current Bandwidth'), '1 Gbit/s');
  assert.equal(text(999_500, 'Current Bandwidth'), '1 Mbit/s');
  assert.equal(text(0.0042, 'Avg. Disk sec/Read'), '4.2 ms');
  assert.equal(text(1234, 'Context Switches/sec'), '1,234/s');
  assert.equal(text(0, 'Handle Count'), '0');
});

test('an axis leaves out zeros behind the point, and no others', () => {
  const text = (value, counter) => onAxis(value, unitOf(counter));
  assert.equal(text(1000, 'Handle Count'), '1,000');
  assert.equal(text(1500, 'Handle Count'), '1,500');
  assert.equal(text(20_000, 'Context Switches/sec'), '20,000/s');
  assert.equal(text(100, '% Processor Time'), '100 %');
  assert.equal(text(1024, 'Committed Bytes'), '1 KB');
  assert.equal(text(1536, 'Committed Bytes'), '1.5 KB');
  assert.equal(text(100 * 1024, 'Disk Bytes/sec'), '100 KB/s');
  assert.equal(text(0, 'Disk Bytes/sec'), '0 B/s');
  assert.equal(text(0.02, 'Avg. Disk sec/Read'), '20 ms');
});
