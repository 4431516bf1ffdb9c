import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { LocalFailure } from '#local'
import { root } from '../local/settings.ts'
import { generated } from './generate.ts'
import { chart } from './installations.ts'
import { output, said } from './program.ts'
import { type Renamed, renamed_file } from './renamed-values.ts'

const gone: readonly Renamed[] = [
  { value: 'settings.publicUrl', since: '9.9.9', instead: 'settings.webApiUrl' },
  { value: 'defaults.workers', since: '9.9.9' },
]
const still_set = { settings: { publicUrl: 'https://api.example.com' }, services: { profile: { workers: 2 } } }
const expected = [
  'settings.publicUrl went away in 9.9.9: set settings.webApiUrl instead.',
  'services.profile.workers went away in 9.9.9: remove it.',
]

/** Has a copy of the chart from which values went away refuse them. @throws LocalFailure when it does not tell by their names */
export async function checkRenamed(helm: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'social-login-chart-'))
  const copy = join(folder, 'social-login')
  try {
    cpSync(join(root, chart), copy, { recursive: true })
    writeFileSync(join(copy, renamed_file), stringify(gone))
    for (const [path, text] of generated(copy)) writeFileSync(path, text)
    const values = ['--values', join(copy, 'ci/default.yaml'), '--values', '-']
    const answer = await output(helm, ['template', 'login', copy, ...values], stringify(still_set)).catch(said)
    const unsaid = expected.filter((sentence) => !answer.includes(sentence))
    if (unsaid.length > 0) throw new LocalFailure(`Helm did not say: ${unsaid.join(' ')}\nIt said: ${answer}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
