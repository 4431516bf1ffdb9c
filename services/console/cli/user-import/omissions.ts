import { guessProvider } from '../../import-files/convert/common.ts'
import type { FileFormat } from '../../import-files/formats.ts'
import type { ReadSummary } from '../../import-files/summary.ts'

/** What a file left out, a sentence each, with the option that would take it. */
export function describeOmissions({ omitted, without_account, empty_rows }: ReadSummary): string[] {
  const unknown = [...omitted].filter(([, { because }]) => because === 'unknown_provider')
  return [
    ...unknown.map(
      ([name, { count }]) =>
        `Omitted accounts of ${name}: ${count}. Choose our provider: --provider ${name}=${guessProvider(name) ?? '<provider>'}`,
    ),
    ...[...omitted].flatMap(([name, { because, count }]) =>
      because === 'second_of_provider'
        ? [`Omitted second accounts of ${name}: ${count}. A user has one of each provider.`]
        : [],
    ),
    ...[...omitted].flatMap(([name, { because, count }]) =>
      because === 'not_of_a_provider'
        ? [`Omitted, because end users do not log in with it here: ${name}: ${count}.`]
        : [],
    ),
    ...(without_account > 0
      ? [`Users without an account of a login provider: ${without_account}. They cannot log in.`]
      : []),
    ...(empty_rows > 0 ? [`Empty rows: ${empty_rows}.`] : []),
  ]
}

/** The same for programs. */
export function toFileResult(format: FileFormat, { omitted, without_account, empty_rows }: ReadSummary) {
  const counts = [...omitted].map(([name, { because, count }]) => ({ name, because, count }))
  return { format, omitted: counts, without_account, empty_rows }
}
