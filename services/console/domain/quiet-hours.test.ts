import { expect, test } from 'vitest'
import { isQuiet } from './quiet-hours.ts'

const night = { time_zone: 'Asia/Tokyo', quiet_from: '22:00', quiet_to: '07:00' }

test.each([
  ['2030-01-01T12:59:00Z', false],
  ['2030-01-01T13:00:00Z', true],
  ['2030-01-01T15:00:00Z', true],
  ['2030-01-01T21:59:00Z', true],
  ['2030-01-01T22:00:00Z', false],
])('quiet hours contain midnight in their time zone: %s', (at, isHeld) => {
  expect(isQuiet(night, new Date(at))).toBe(isHeld)
})

test.each([
  ['2030-07-01T10:30:00Z', true],
  ['2030-01-01T10:30:00Z', false],
])('quiet hours follow daylight saving time: %s', (at, isHeld) => {
  expect(isQuiet({ time_zone: 'Europe/Berlin', quiet_from: '12:00', quiet_to: '13:00' }, new Date(at))).toBe(isHeld)
})

test('without times there are no quiet hours', () => {
  expect(isQuiet({ ...night, quiet_from: null, quiet_to: null }, new Date('2030-01-01T15:00:00Z'))).toBe(false)
})
