import { useTexts } from '../../texts/index.tsx'

/** Names a type of event in the language of the console; one that this release does not know has its own name. */
export function useNameEvent(): (type: string) => string {
  const { event_types: t } = useTexts('event_types')
  const titles: Readonly<Record<string, Readonly<Record<string, string>>>> = t
  return (type) => {
    const [subject = '', change = ''] = type.split('.')
    return titles[subject]?.[change] ?? type
  }
}
