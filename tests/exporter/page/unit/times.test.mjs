// Times in three zones, with the browser in Berlin.

import './here.mjs';
import assert from 'node:assert/strict';
import {afterEach, test} from 'node:test';

import {
  apiTime, chooseZone, chosenZone, clock, dayAndClock, knowsMachineZone, minute, momentOf, parseTime, setMachineOffset, watchZone,
  wholeTime,
} from '../../../../exporter/page/text/times.js';

afterEach(() => {
  chooseZone('browser');
  setMachineOffset(null);
});

const at = (text) => Date.parse(text);
const NOW = at('2026-11-28T13:05:03Z');

function moment(text, now = NOW) {
  const found = momentOf(text, now);
  return found === null ? null : new Date(found).toISOString();
}

test('a time reads differently in each zone', () => {
  assert.equal(clock(NOW), '14:05:03');
  assert.equal(minute(NOW), '14:05');
  chooseZone('utc');
  assert.equal(clock(NOW), '13:05:03');
  setMachineOffset(-5 * 3600);
  chooseZone('machine');
  assert.equal(clock(NOW), '08:05:03');
  assert.equal(dayAndClock(at('2026-11-28T03:00:00Z')), '27 Nov, 22:00:00');
  assert.match(wholeTime(NOW), /Saturday.* 28 November 2026.*08:05:03 UTC−05:00$/);
  setMachineOffset(5.5 * 3600);
  assert.match(wholeTime(NOW), /18:35:03 UTC\+05:30$/);
});

test('midnight is 00:00 and not 24:00', () => {
  chooseZone('utc');
  assert.equal(clock(at('2026-11-28T00:00:00Z')), '00:00:00');
});

test('the machine\'s zone is the browser\'s until it is known', () => {
  chooseZone('machine');
  assert.equal(knowsMachineZone(), false);
  assert.equal(clock(NOW), '14:05:03');
  setMachineOffset(0);
  assert.equal(knowsMachineZone(), true);
  assert.equal(clock(NOW), '13:05:03');
});

test('whoever shows times hears of another zone, and an unknown zone changes nothing', () => {
  let heard = 0;
  const end = watchZone(() => ++heard);
  chooseZone('utc');
  chooseZone('nowhere');
  assert.equal(chosenZone(), 'utc');
  setMachineOffset(3600);
  setMachineOffset(3600);
  assert.equal(heard, 2);
  end();
  chooseZone('browser');
  assert.equal(heard, 2);
});

test('times of the API have seven decimals or none, and a text that is none is not a number', () => {
  assert.equal(parseTime('2026-11-28T12:47:40.2004248Z'), at('2026-11-28T12:47:40.200Z'));
  assert.equal(parseTime('2026-11-28T13:47:40+01:00'), at('2026-11-28T12:47:40Z'));
  assert.ok(Number.isNaN(parseTime('yesterday')));
  assert.equal(apiTime(NOW), '2026-11-28T13:05:03.000Z');
});

test('a time that somebody writes is the last one that has passed', () => {
  assert.equal(moment('14:05'), '2026-11-28T13:05:00.000Z');
  assert.equal(moment(' 14:05:03 '), '2026-11-28T13:05:03.000Z');
  assert.equal(moment('14:05:04'), '2026-11-27T13:05:04.000Z');
  assert.equal(moment('0:00'), '2026-11-27T23:00:00.000Z');
  assert.equal(moment('2026-11-28 14:05'), '2026-11-28T13:05:00.000Z');
  assert.equal(moment('2026-11-28T15:05'), '2026-11-28T14:05:00.000Z');
});

test('the same in UTC and in the machine\'s zone, also where the day is another one', () => {
  chooseZone('utc');
  assert.equal(moment('13:05'), '2026-11-28T13:05:00.000Z');
  assert.equal(moment('14:05'), '2026-11-27T14:05:00.000Z');
  assert.equal(moment('2026-01-02 3:04:05'), '2026-01-02T03:04:05.000Z');
  chooseZone('machine');
  setMachineOffset(-5 * 3600);
  assert.equal(moment('8:05'), '2026-11-28T13:05:00.000Z');
  assert.equal(moment('2026-11-27 23:30'), '2026-11-28T04:30:00.000Z');
  const night = at('2026-11-28T02:00:00Z');  // 21:00 of the day before
  assert.equal(moment('20:30', night), '2026-11-28T01:30:00.000Z');
  assert.equal(moment('21:30', night), '2026-11-27T02:30:00.000Z');
  setMachineOffset(5.5 * 3600);
  assert.equal(moment('18:35'), '2026-11-28T13:05:00.000Z');
});

test('when clocks are changed, the day before has the same time of day', () => {
  // At 2:00 of 29 March it becomes 3:00, at 3:00 of 25 October it becomes 2:00.
  const spring = at('2026-03-29T08:00:00Z');
  assert.equal(moment('9:59', spring), '2026-03-29T07:59:00.000Z');
  assert.equal(moment('1:30', spring), '2026-03-29T00:30:00.000Z');
  assert.equal(moment('12:00', spring), '2026-03-28T11:00:00.000Z');
  const autumn = at('2026-10-25T08:00:00Z');
  assert.equal(moment('8:59', autumn), '2026-10-25T07:59:00.000Z');
  assert.equal(moment('1:30', autumn), '2026-10-24T23:30:00.000Z');
  assert.equal(moment('12:00', autumn), '2026-10-24T10:00:00.000Z');
  assert.equal(clock(at('2026-10-25T00:30:00Z')), '02:30:00');
  assert.equal(clock(at('2026-10-25T01:30:00Z')), '02:30:00');
});

test('what is no time is none', () => {
  const none = ['', 'now', '24:00', '12:60', '12:00:60', '1200', '2026-13-01 12:00', '2026-02-29 12:00', '2026-11-31 12:00', '2026-11-28'];
  for (const zone of ['browser', 'utc']) {
    chooseZone(zone);
    for (const text of none) assert.equal(moment(text), null, text);
  }
  assert.equal(moment('2024-02-29 12:00'), '2024-02-29T12:00:00.000Z');
});
