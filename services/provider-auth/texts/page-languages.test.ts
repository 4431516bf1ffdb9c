import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import en from './en.json' with { type: 'json' }
import { builtInLanguages, loadPageLanguages } from './page-languages.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'languages-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const write = (file: string, content: unknown) =>
  writeFileSync(join(directory, file), typeof content === 'string' ? content : JSON.stringify(content))
const change = (choice: object) => ({ ...en, choice: { ...en.choice, ...choice } })

describe('a directory of languages', () => {
  test('adds a language', () => {
    write('fi.json', change({ explanation: 'Valitse tili.' }))
    const languages = loadPageLanguages(directory)
    expect(languages.tags).toEqual([...builtInLanguages.tags, 'fi'])
    expect(languages.match(['fi-FI'])).toBe('fi')
    expect(languages.textsIn('fi').choice.explanation).toBe('Valitse tili.')
  })

  test('replaces a language of ours, and adds one of another region', () => {
    write('de.json', change({ explanation: 'Wähle ein Konto.' }))
    write('pt-PT.json', change({ explanation: 'Escolha uma conta.' }))
    const languages = loadPageLanguages(directory)
    expect(languages.textsIn('de').choice.explanation).toBe('Wähle ein Konto.')
    expect([languages.match(['pt-PT']), languages.match(['pt'])]).toEqual(['pt-PT', 'pt-BR'])
  })

  test.each([
    ['fi.json', '{', /fi\.json: it is not JSON/],
    ['finnish.json', en, /finnish\.json: its name is not a language/],
    ['fi.json', { ...en, details: undefined }, /details is missing/],
    ['fi.json', { ...en, extra: 'x' }, /extra is not a message/],
    ['fi.json', change({ heading: 'Kirjaudu' }), /choice\.heading lacks the parameter application/],
    ['fi.json', change({ more: '{x' }), /choice\.more is not valid ICU MessageFormat/],
    ['fi.json', change({ more: '<b>x</b>' }), /choice\.more is not valid ICU MessageFormat \(it has the tag <b>\)/],
  ])('with %s and an error stops the start with what is wrong', (file, content, error) => {
    write(file, content)
    expect(() => loadPageLanguages(directory)).toThrow(error)
  })

  test('that does not exist stops the start', () => {
    expect(() => loadPageLanguages(join(directory, 'none'))).toThrow(/PAGE_LANGUAGES_DIRECTORY cannot be read/)
  })
})
