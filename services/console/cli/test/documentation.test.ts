import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type AdminProcedure, type AdminProcedureName, adminApi, exportFile } from '#admin-api'
import { table, withGenerated } from '#testing'
import { audiences, commands, groups } from '../commands.ts'
import { exitCodes } from '../exit-codes.ts'
import { fetchExportCommand } from '../fetch-export.ts'
import { type CommandField, listFields } from '../fields.ts'
import { socialLogin } from './harness.ts'

const name = '../../../../docs/use/command-line.md'
const page = await readFile(new URL(name, import.meta.url), 'utf8')

test('docs/use/command-line.md lists every command and exit code; -u updates it', async () => {
  const parts = { commands: commandTables(), exit_codes: exitTable() }
  await expect(withGenerated(page, parts)).toMatchFileSnapshot(name)
})

function commandTables(): string {
  // The literal has the keys that its type names.
  const all = Object.entries(commands) as [AdminProcedureName, string][]
  const sections = Object.entries(groups).map(([group, about]) => {
    const own: [string, Described][] = [
      ...all.map(([name, words]): [string, Described] => [words, adminApi[name]]),
      [fetchExportCommand, exportFile],
    ]
    const rows = own
      .filter(([words]) => words.startsWith(`${group} `))
      .map(([words, described]) => rowOf(words, described))
    return `\n### ${about}\n${table(['Command', 'Description', 'Options', 'Required role'], rows)}\n`
  })
  return sections.join('')
}

function exitTable(): string {
  const rows = Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning])
  return table(['Code', 'Meaning'], rows)
}

type Described = Pick<AdminProcedure, 'input' | 'summary' | 'role'>

function rowOf(words: string, procedure: Described): string[] {
  const [needed, free] = [true, false].map((required) =>
    listFields(procedure)
      .filter((field) => field.required === required)
      .map(optionOf)
      .join(' '),
  )
  const options = [needed, free && `[${free}]`].filter(Boolean).join(' ')
  return [`\`${words}\``, procedure.summary, options, audiences[procedure.role]]
}

function optionOf({ option, secret }: CommandField): string {
  return `\`--${option}${secret ? '-file' : ''}\``
}

test('docs/use/command-line.md contains only existing options', async () => {
  const helps = await Promise.all(
    ['plan', 'apply', 'export', 'users import', 'compare', fetchExportCommand, ...Object.values(commands)].map(
      (words) => socialLogin([...words.split(' '), '--help']),
    ),
  )
  const known = new Set(helps.flatMap(({ out }) => [...out.matchAll(/--[a-z-]+/g)].map(([option]) => option)))
  const foreign = ['--name']
  const named = [...page.matchAll(/(?<![\w-])--[a-z-]+[a-z]/g)].map(([option]) => option)
  expect(named.filter((option) => !known.has(option) && !foreign.includes(option))).toEqual([])
})
