import { expect, test } from 'vitest'
import { findJsonProblem } from './json-problem.ts'

test.each([
  '{}',
  ' {\n "a" : [1, -0.5, 1e-7, true, null, "x\\u0041\\n"],\r\n\t"b": {"c": {}} }\n',
  '{"a":9007199254740991}',
])('no problem in %j', (text) => {
  expect(findJsonProblem(text)).toBeUndefined()
})

test.each<[string, string, number]>([
  ['', 'not_json', 1],
  ['{', 'not_json', 1],
  ['{\n"a": 1,\n}', 'not_json', 3],
  ['{\n"a": 1\n"b": 2}', 'not_json', 3],
  ["{\n'a': 1}", 'not_json', 2],
  ['{"a": "1\n2"}', 'not_json', 1],
  ['{\n"a": "\\x"}', 'not_json', 2],
  ['{"a": 01}', 'not_json', 1],
  ['{"a": tru}', 'not_json', 1],
  ['{"a": [1, 2}', 'not_json', 1],
  ['{}\n\n{}', 'not_json', 3],
  ['[]', 'not_an_object', 1],
  ['"a"', 'not_an_object', 1],
  ['{\n"a": 0.12345678901234567}', 'rounded_number', 2],
  ['{"a": [\n9007199254740993]}', 'rounded_number', 2],
])('the problem of %j is %s at line %i', (text, problem, line) => {
  expect(findJsonProblem(text)).toEqual({ problem, line })
})
