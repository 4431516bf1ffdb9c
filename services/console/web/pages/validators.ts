import { useTexts } from '../texts/index.tsx'

const slug = /^[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?$/
const titleLength = 100

/** Validators for immediate feedback. The service validates again. */
export function useValidators() {
  const t = useTexts().common.fields
  return {
    title: (text: string) => {
      if (text.trim() === '') return t.required
      return text.trim().length > titleLength ? t.too_long({ maximum: titleLength }) : null
    },
    slug: (text: string) => (slug.test(text) ? null : t.slug),
    whole: (minimum: number, maximum: number) => (value: number | string) =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
        ? null
        : t.whole({ minimum, maximum }),
    some: (text: string) => (text.trim() === '' ? t.required : null),
  }
}

/** Splits a text into trimmed lines without empty ones. */
export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
