import { useTexts } from '../../texts/index.tsx'

/** The label of a value of a definition and, if there is one, what it means. */
export interface Label {
  readonly label: string
  readonly description?: string
}

/** Returns the labels of a definition's values by their keys, in the language of the page. */
export function useDefinitionLabel(): (key: string) => Label {
  const { definition: t } = useTexts('definition')
  const hints: Readonly<Record<string, string>> = t.hints
  const withHint = (name: string, texts: Readonly<Record<string, unknown>>): Label => {
    const text = texts[name]
    const description = hints[name]
    return { label: typeof text === 'string' ? text : name, ...(description !== undefined && { description }) }
  }
  return (key) => {
    const [, group, name = ''] = /^(field|endpoint|scopes)_[a-z0-9]+_(\w+)$/.exec(key) ?? []
    if (group === 'field') return withHint(name, t.fields)
    if (group === 'endpoint') return withHint(name, t.endpoints)
    if (group === 'scopes') return withHint(name, t.scopes)
    const [, field = '', part = ''] = /^claim_(\w+)_(from|as|detail|unless)$/.exec(key) ?? []
    if (part === 'from') return { label: t.claim_from({ field }) }
    if (part === 'as') return { label: t.claim_as({ field }) }
    if (part !== '') return { label: t.claim_detail({ field }) }
    const [, item] = /^claim_(\w+)$/.exec(key) ?? []
    return item === undefined ? withHint(key, t) : withHint(item, t.items)
  }
}
