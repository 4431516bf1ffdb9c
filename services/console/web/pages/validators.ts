import { useTexts } from '../texts/index.tsx'

const slug = /^[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?$/
const titleLength = 100

/** What a page can say before it asks; the service checks it all again. */
export function useValidators() {
  const t = useTexts().common.fields
  return {
    title: (text: string) => {
      if (text.trim() === '') return t.required
      return text.trim().length > titleLength ? t.too_long({ most: titleLength }) : null
    },
    slug: (text: string) => (slug.test(text) ? null : t.slug),
    whole: (minimum: number, maximum: number) => (value: number | string) =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
        ? null
        : t.whole({ least: minimum, most: maximum }),
    some: (text: string) => (text.trim() === '' ? t.required : null),
  }
}

/** What stands on the lines of a text, without empty ones. */
export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
