import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { limits } from '#contracts'
import { createCursors } from './cursors.ts'

const key = randomBytes(32)
const owner = [7, '20', undefined, '30d', 'mapped_only']
const walk = { page: 3, after: 'f'.repeat(40), created_since: 1_700_000_000 }

test('a cursor can be read with the parameters it was created for', () => {
  const cursors = createCursors(key)
  expect(cursors.read(cursors.write(walk, owner), owner)).toEqual(walk)
})

test('only gateways with the same key can read a cursor', () => {
  const cursor = createCursors(key).write(walk, owner)
  expect(createCursors(key).read(cursor, owner)).toEqual(walk)
  expect(() => createCursors(randomBytes(32)).read(cursor, owner)).toThrow('invalid_parameter')
})

test('a cursor cannot be read for another site or filter', () => {
  const cursors = createCursors(key)
  const cursor = cursors.write(walk, owner)
  for (const index of owner.keys()) {
    const other = owner.with(index, 'other')
    expect(() => cursors.read(cursor, other)).toThrow('invalid_parameter')
  }
})

test('a cursor with any character changed, added or removed is rejected', () => {
  const cursors = createCursors(key)
  const cursor = cursors.write(walk, owner)
  for (let index = 0; index < cursor.length; index++) {
    const character = cursor[index] === 'A' ? 'B' : 'A'
    const changed = cursor.slice(0, index) + character + cursor.slice(index + 1)
    const shortened = cursor.slice(0, index) + cursor.slice(index + 1)
    expect(() => cursors.read(changed, owner)).toThrow('invalid_parameter')
    expect(() => cursors.read(shortened, owner)).toThrow('invalid_parameter')
  }
  for (const text of ['', '.', '..', 'x', `${cursor}.`, `${cursor}=`, ` ${cursor}`, `${cursor}${cursor}`])
    expect(() => cursors.read(text, owner)).toThrow('invalid_parameter')
})

test('a cursor is valid for a day', () => {
  let nowMs = 1_700_000_000_000
  const cursors = createCursors(key, () => nowMs)
  const cursor = cursors.write(walk, owner)
  nowMs += limits.cursor_seconds * 1_000 - 1
  expect(cursors.read(cursor, owner)).toEqual(walk)
  nowMs += 1
  expect(() => cursors.read(cursor, owner)).toThrow('invalid_parameter')
})
