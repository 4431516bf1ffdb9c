import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { useSearchParams } from 'wouter'

/** The column by which a table is sorted. */
export interface Sort {
  readonly id: string
  readonly desc: boolean
}

interface KeptChoices {
  readonly hidden: readonly string[]
  readonly dense: boolean
}
const noChoices: KeptChoices = { hidden: [], dense: false }

/** What a member chose for a table. */
export interface TableChoices extends KeptChoices {
  readonly keep: (choices: KeptChoices) => void
  readonly sort: Sort | undefined
  readonly setSort: (sort: Sort | undefined) => void
}

/**
 * The choices for the table of this name: this browser keeps columns and density; the address of the page contains the order, so
 * that it can be shared. Tables without a name forget both.
 */
export function useTableChoices(name: string | undefined): TableChoices {
  const [kept, keep] = useLocalStorage<KeptChoices>({
    key: `console-table-${name}`,
    defaultValue: noChoices,
    getInitialValueInEffect: false,
  })
  const [parameters, setParameters] = useSearchParams()
  const [ownSort, setOwnSort] = useState<Sort>()
  if (name === undefined) return { ...noChoices, keep: () => {}, sort: ownSort, setSort: setOwnSort }
  const parameter = `sort.${name}`
  const text = parameters.get(parameter)
  return {
    ...kept,
    keep,
    sort: text === null ? undefined : { id: text.replace(/^-/, ''), desc: text.startsWith('-') },
    setSort(sort) {
      setParameters(
        (before) => {
          const after = new URLSearchParams(before)
          if (sort === undefined) after.delete(parameter)
          else after.set(parameter, `${sort.desc ? '-' : ''}${sort.id}`)
          return after
        },
        { replace: true },
      )
    },
  }
}
