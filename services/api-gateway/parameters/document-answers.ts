import { areDocumentsUnique, type ConsentAnswer, DocumentsOfVersions, Fault } from '#contracts'
import { isPresent, type Parameter } from './parameter.ts'
import { readText } from './text.ts'

const names = { accepted: 'accepted_documents', declined: 'declined_documents' } as const

/** Answers to documents of the site, at least one. */
export function documentAnswers(): Parameter<ConsentAnswer[]> {
  return {
    fields: () => [
      {
        name: names.accepted,
        schema: DocumentsOfVersions,
        required: false,
        description: `Documents that the user accepted, with their versions: \`terms:2 newsletter:1\`. Required unless \`${names.declined}\` is sent.`,
      },
      {
        name: names.declined,
        schema: DocumentsOfVersions,
        required: false,
        description: `Documents that the user declined, in the same form. Required unless \`${names.accepted}\` is sent.`,
      },
    ],
    isMissing: (_, given) => !isPresent(names.accepted, given) && !isPresent(names.declined, given),
    missingDetail: { reason: 'missing', parameter: names.accepted },
    read(_, given) {
      const read = (name: string, accepted: boolean) =>
        (readText(name, DocumentsOfVersions, given) ?? []).map((document) => ({ ...document, accepted }))
      const answers = [...read(names.accepted, true), ...read(names.declined, false)]
      if (!areDocumentsUnique(answers))
        throw new Fault('invalid_parameter', { detail: { reason: 'wrong_format', parameter: names.declined } })
      return answers
    },
  }
}
