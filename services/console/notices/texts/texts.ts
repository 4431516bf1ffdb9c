import type { NoticeKind, NoticeLanguage } from '#admin-api'
import { type CompiledMessage, compileCatalogue, createTexts, formatMessage, type TextsOf } from '#messages'
import en from './en.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import type { MessageParameters } from './parameters.ts'

type Catalogue = typeof en

const compiled = { en: compileCatalogue(en, 'en.json'), ja: compileCatalogue(ja, 'ja.json') } as const

/** The texts of notices in one language, except those of the kinds. */
export const noticeTexts: Readonly<Record<NoticeLanguage, Omit<TextsOf<Catalogue, MessageParameters>, 'kinds'>>> = {
  en: createTexts<Catalogue, MessageParameters>('en', compiled.en),
  ja: createTexts<Catalogue, MessageParameters>('ja', compiled.ja),
}

/** What happened, and what to do. */
export interface KindText {
  readonly title: string
  readonly advice: string
}

/** Formats the texts of a kind with the values of a stored notice. A missing value is shown as `undefined`. */
export function formatKind(
  language: NoticeLanguage,
  kind: NoticeKind,
  values: Readonly<Record<string, string | number>>,
): KindText {
  const messages: Readonly<Record<keyof KindText, CompiledMessage>> = compiled[language].kinds[kind]
  return {
    title: formatMessage(language, messages.title, values),
    advice: formatMessage(language, messages.advice, values),
  }
}
