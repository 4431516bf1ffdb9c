import iconv from 'iconv-lite'
import type { z } from 'zod'
import type { UserExport } from '#admin-api'

export interface Encoder {
  readonly encode: (text: string) => Buffer
  /** Number of characters so far that the character set does not contain; each was replaced by `?`. */
  readonly replaced: () => number
}

/** UTF-8, with a byte order mark so that spreadsheets detect it, or the Shift_JIS of Windows (code page 932). */
export function createEncoder(
  charset: z.output<typeof UserExport>['charset'],
  { withMark }: { readonly withMark: boolean },
): Encoder {
  let replaced = 0
  if (charset === 'UTF-8') {
    let isMarked = !withMark
    return {
      encode(text) {
        const marked = isMarked ? text : `\ufeff${text}`
        isMarked = true
        return Buffer.from(marked)
      },
      replaced: () => 0,
    }
  }
  return {
    encode(text) {
      const bytes = iconv.encode(
        text.replaceAll(replaceable, (character) => windowsCharacters[character] ?? character),
        'cp932',
      )
      // In Shift_JIS, no second byte is a question mark.
      replaced += count(bytes, questionMark) - count(Buffer.from(text), questionMark)
      return bytes
    },
    replaced: () => replaced,
  }
}

/** Characters that Windows maps to a similar character at the same code point of Shift_JIS. */
const windowsCharacters: Readonly<Record<string, string>> = {
  '\u301c': '\uff5e',
  '\u2016': '\u2225',
  '\u2212': '\uff0d',
  '\u2014': '\u2015',
  '\u00a2': '\uffe0',
  '\u00a3': '\uffe1',
  '\u00ac': '\uffe2',
}
const replaceable = new RegExp(`[${Object.keys(windowsCharacters).join('')}]`, 'g')

const questionMark = 0x3f

function count(bytes: Buffer, byte: number): number {
  let found = 0
  for (const candidate of bytes) if (candidate === byte) found++
  return found
}
