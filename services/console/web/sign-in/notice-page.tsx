/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { RequestFault } from '../admin/fault.ts'
import { requestSignIn, type SignInResponse } from '../admin/sign-in.ts'
import { Button, WaitingText } from './controls.tsx'
import { Frame } from './frame.tsx'
import { SignInFault } from './sign-in-fault.tsx'
import { useSignInTexts } from './texts.tsx'
import { useSignInAction } from './use-sign-in-action.ts'

/** The page of the link that confirms an address for notices. Only its button confirms, because programs open the links in e-mails, too. */
export function NoticePage({ token }: { token: string }) {
  const { notices } = useSignInTexts()
  const t = notices.confirm
  const [link, setLink] = useState<SignInResponse<'openNoticeLink'>>()
  const opening = useSignInAction(async () => setLink(await requestSignIn('openNoticeLink', { token })))
  const confirming = useSignInAction(async () => setLink(await requestSignIn('confirmNotices', { token })))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is opened once
  useEffect(() => {
    void opening.run()
  }, [])

  const fault = opening.fault ?? confirming.fault
  return (
    <Frame title={t.title} heading={link?.confirm_until === null ? t.done : t.title}>
      {!link && !fault && <WaitingText>{t.opening}</WaitingText>}
      {link && <LinkDetails link={link} />}
      {fault && <LinkFault fault={fault} retry={link ? confirming.run : opening.run} />}
      {link && link.confirm_until !== null && (
        <Button look="primary" isBusy={confirming.isBusy} onClick={confirming.run}>
          {t.confirm}
        </Button>
      )}
    </Frame>
  )
}

function LinkDetails({ link }: { link: SignInResponse<'openNoticeLink'> }) {
  const { notices } = useSignInTexts()
  const t = notices.confirm
  const { account, name, email_address: address, kinds, sites, confirm_until } = link
  return (
    <>
      <p>{confirm_until === null ? t.done_about({ account, address }) : t.question({ account, address })}</p>
      <p class="dimmed small">{t.about({ name })}</p>
      <ul class="small">
        {kinds.map((kind) => (
          <li key={kind}>{notices.kind_names[kind]}</li>
        ))}
      </ul>
      {sites !== null && <p class="small">{t.only_sites({ sites: sites.join(', ') })}</p>}
    </>
  )
}

/** Distinguishes an invalid link from one that cannot be checked at the moment. */
function LinkFault({ fault, retry }: { fault: RequestFault; retry: () => void }) {
  const { notices } = useSignInTexts()
  const t = notices.confirm
  // A truncated link is invalid, too.
  if (!['not_found', 'invalid_request'].includes(fault.fault)) return <SignInFault fault={fault} retry={retry} />
  return <SignInFault fault={new RequestFault('not_found', '')} says={{ title: t.invalid, advice: t.invalid_advice }} />
}
