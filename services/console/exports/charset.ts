import iconv from 'iconv-lite'
import type { z } from 'zod'
import type { UserExport } from '#admin-api'

export interface Encoder {
  readonly encode: (text: string) => Buffer
  /** Characters so far that the character set does not have; a `?` stands for each. */
  readonly replaced: () => number
}

/** UTF-8 with a byte order mark, by which spreadsheets know it, or Shift_JIS as Windows has it (code page 932). */
export function createEncoder(charset: z.output<typeof UserExport>['charset']): Encoder {
  let replaced = 0
  if (charset === 'UTF-8') {
    let begun = false
    return {
      encode(text) {
        const marked = begun ? text : `\ufeff${text}`
        begun = true
        return Buffer.from(marked)
      },
      replaced: () => 0,
    }
  }
  return {
    encode(text) {
      const bytes = iconv.encode(
        text.replaceAll(twins, (character) => twinOf[character] ?? character),
        'cp932',
      )
      // No second byte of Shift_JIS is a question mark.
      replaced += count(bytes, questionMark) - count(Buffer.from(text), questionMark)
      return bytes
    },
    replaced: () => replaced,
  }
}

/** Characters that other tables of Shift_JIS have at the place where Windows has their twin. */
const twinOf: Readonly<Record<string, string>> = {
  '\u301c': '\uff5e',
  '\u2016': '\u2225',
  '\u2212': '\uff0d',
  '\u2014': '\u2015',
  '\u00a2': '\uffe0',
  '\u00a3': '\uffe1',
  '\u00ac': '\uffe2',
}
const twins = new RegExp(`[${Object.keys(twinOf).join('')}]`, 'g')

const questionMark = 0x3f

function count(bytes: Buffer, wanted: number): number {
  let found = 0
  for (const byte of bytes) if (byte === wanted) found++
  return found
}
