import { loginResults } from 'virtual:contract'
import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRead } from '../../admin/queries.ts'
import type { Login, SiteReference } from '../../admin/types.ts'
import { useNameProvider, useSiteProviders } from '../../parts/site-providers.ts'
import { FilterBar } from '../../parts/table/filter-bar.tsx'
import { FilterChoice, FilterField } from '../../parts/table/filter-field.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useExplain } from './login-result.tsx'
import type { LogFilters } from './use-login-filters.ts'

interface Props {
  readonly site: SiteReference
  readonly filters: LogFilters
  readonly hasTimes: boolean
}

export function LoginFilters({ site, filters: { chosen, change, filter }, hasTimes }: Props) {
  const { logins: t } = useTexts('logins')
  const nameProvider = useNameProvider()
  const providers = useSiteProviders()?.logins ?? []
  const clients = useRead('listClients', site).data?.clients ?? []
  const choose = (name: keyof typeof chosen) => (value: string) => change({ [name]: value })
  const clientChoices = clients.map(({ client_id, name }) => ({ value: client_id, label: name }))
  return (
    <FilterBar chosen={Object.keys(filter).length}>
      {hasTimes && (
        <>
          <FilterField label={t.since} type="datetime-local" value={chosen.since} onChange={choose('since')} />
          <FilterField label={t.until} type="datetime-local" value={chosen.until} onChange={choose('until')} />
        </>
      )}
      <FilterChoice
        label={t.result}
        any={t.any}
        value={chosen.result}
        onChange={choose('result')}
        choices={loginResults.map((value) => ({ value, label: t.results[value] }))}
      />
      <FilterChoice
        label={t.provider}
        any={t.any}
        value={chosen.provider}
        onChange={choose('provider')}
        choices={addChosen(
          providers.map((value) => ({ value, label: nameProvider(value) })),
          chosen.provider,
        )}
      />
      <FilterChoice
        label={t.client}
        any={t.any}
        value={chosen.client_id}
        onChange={choose('client_id')}
        choices={addChosen(clientChoices, chosen.client_id)}
      />
      <FilterField label={t.user} value={chosen.identifier} onChange={choose('identifier')} />
      {filter.reason !== undefined && <ChosenReason reason={filter.reason} remove={() => change({ reason: '' })} />}
      {Object.keys(filter).length > 1 && (
        <Button variant="subtle" onClick={() => change(nothingChosen)}>
          {t.clear}
        </Button>
      )}
    </FilterBar>
  )
}

const nothingChosen = { provider: '', client_id: '', result: '', reason: '', identifier: '', since: '', until: '' }

/** Adds the chosen value, which an address can have although the site does not have it (any more). */
function addChosen(choices: { value: string; label: string }[], chosen: string) {
  const isKnown = chosen === '' || choices.some(({ value }) => value === chosen)
  return isKnown ? choices : [...choices, { value: chosen, label: chosen }]
}

/** A cause is chosen in the list of causes, and only removed here. */
function ChosenReason({ reason, remove }: { reason: Login['reason']; remove: () => void }) {
  const { logins: t } = useTexts('logins')
  const { what } = useExplain()(reason)
  return (
    <Button
      variant="light"
      color="gray"
      rightSection={<IconX size={16} />}
      onClick={remove}
      aria-label={t.remove_cause({ cause: what })}
      maw={{ base: '100%', xs: 420 }}
    >
      {what}
    </Button>
  )
}
