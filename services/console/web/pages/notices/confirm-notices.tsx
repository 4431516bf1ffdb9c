import { Button, List, Loader, Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { RequestFault } from '../../admin/fault.ts'
import { requestSignIn, type SignInResponse } from '../../admin/sign-in.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'

/**
 * The content of the page of the link that confirms an address. It needs no session. Only its button confirms, because programs open the links in e-mails,
 * too. The token is in the fragment, so that it is in no server log.
 */
export function ConfirmNoticesPage() {
  const { notices, common } = useTexts('notices')
  const t = notices.confirm
  const [token] = useState(() => location.hash.slice(1))
  const [link, setLink] = useState<SignInResponse<'openNoticeLink'>>()
  const opening = useAction(async () => setLink(await requestSignIn('openNoticeLink', { token })))
  const confirming = useAction(async () => setLink(await requestSignIn('confirmNotices', { token })))
  const isRequested = useRef(false)

  useEffect(() => {
    document.title = `${t.title} – ${common.console}`
    if (isRequested.current) return
    isRequested.current = true
    opening.run()
  }, [t, common, opening.run])

  const fault = opening.fault ?? confirming.fault
  return (
    <>
      <Title order={1} size="h3">
        {link?.confirm_until === null ? t.done : t.title}
      </Title>
      {!link && !fault && (
        <Text aria-busy="true">
          <Loader size="xs" mr="xs" />
          {t.opening}
        </Text>
      )}
      {link && <LinkDetails link={link} />}
      {fault && <LinkFault fault={fault} retry={() => (link ? confirming.run() : opening.run())} />}
      {link && link.confirm_until !== null && (
        <Button loading={confirming.isBusy} onClick={() => confirming.run()}>
          {t.confirm}
        </Button>
      )}
    </>
  )
}

function LinkDetails({ link }: { link: SignInResponse<'openNoticeLink'> }) {
  const { notices } = useTexts('notices')
  const t = notices.confirm
  const { account, name, email_address: address, kinds, sites, confirm_until } = link
  return (
    <>
      <Text>{confirm_until === null ? t.done_about({ account, address }) : t.question({ account, address })}</Text>
      <Text size="sm" c="dimmed">
        {t.about({ name })}
      </Text>
      <List size="sm">
        {kinds.map((kind) => (
          <List.Item key={kind}>{notices.kind_names[kind]}</List.Item>
        ))}
      </List>
      {sites !== null && <Text size="sm">{t.only_sites({ sites: sites.join(', ') })}</Text>}
    </>
  )
}

/** Distinguishes an invalid link from one that cannot be checked at the moment. */
function LinkFault({ fault, retry }: { fault: RequestFault; retry: () => void }) {
  const { notices } = useTexts('notices')
  const t = notices.confirm
  // A truncated link is invalid, too.
  if (!['not_found', 'invalid_request'].includes(fault.fault)) return <FaultAlert fault={fault} retry={retry} />
  const says = { title: t.invalid, advice: t.invalid_advice }
  return <FaultAlert fault={new RequestFault('not_found', '')} says={says} />
}
