import { useTexts } from '../texts/index.tsx'

const slug = /^[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?$/
const titleLength = 100

/** What a page can say before it asks; the service checks it all again. */
export function useChecks() {
  const t = useTexts().common.fields
  return {
    title: (text: string) => {
      if (text.trim() === '') return t.required
      return text.trim().length > titleLength ? t.too_long({ most: titleLength }) : null
    },
    slug: (text: string) => (slug.test(text) ? null : t.slug),
    whole: (least: number, most: number) => (value: number | string) =>
      Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? null : t.whole({ least, most }),
    some: (text: string) => (text.trim() === '' ? t.required : null),
  }
}

/** What stands on the lines of a text, without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
