/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { RequestFault } from '../admin/fault.ts'
import { addPasskey, join, openLink, type SignInResponse } from '../admin/sign-in.ts'
import { Button, Form, InputField, WaitingText } from './controls.tsx'
import { Frame } from './frame.tsx'
import { ProviderSignInButton } from './methods.tsx'
import { SignInFault } from './sign-in-fault.tsx'
import { useSignInTexts } from './texts.tsx'
import { useSignInAction } from './use-sign-in-action.ts'

type Link = Exclude<SignInResponse<'openLink'>, { next: 'signed_in' }>

const showConsole = () => location.replace('/')

/** The page of a sign-in link. */
export function LinkPage({ token, provider }: { token: string; provider: string | null }) {
  const { sign_in: t } = useSignInTexts()
  const [link, setLink] = useState<Link>()
  const opening = useSignInAction(async () => {
    const answer = await openLink(token)
    if (answer.next === 'signed_in') showConsole()
    else setLink(answer)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is opened once
  useEffect(() => {
    void opening.run()
  }, [])
  return (
    <Frame title={t.link_title} heading={link ? t.welcome({ name: link.name }) : t.link_title}>
      {link && <Welcome link={link} token={token} provider={provider} />}
      {!link && !opening.fault && <WaitingText>{t.link_opening}</WaitingText>}
      {opening.fault && <InvalidLink fault={opening.fault} retry={opening.run} />}
    </Frame>
  )
}

/** Distinguishes an invalid link from one that cannot be checked at the moment. */
function InvalidLink({ fault, retry }: { fault: RequestFault; retry: () => void }) {
  const { sign_in: t } = useSignInTexts()
  // A truncated link is invalid, too.
  if (!['not_found', 'invalid_request'].includes(fault.fault)) return <SignInFault fault={fault} retry={retry} />
  return (
    <>
      <SignInFault
        fault={new RequestFault('not_found', '')}
        says={{ title: t.link_invalid, advice: t.link_invalid_advice }}
      />
      <a href="/" class="button default">
        {t.title}
      </a>
    </>
  )
}

interface WelcomeProps {
  readonly link: Link
  readonly token: string
  readonly provider: string | null
}

function Welcome({ link, token, provider }: WelcomeProps) {
  const { sign_in: t, common } = useSignInTexts()
  const [name, setName] = useState('')
  const creating = useSignInAction(async () => {
    await addPasskey({ token, name: name.trim() })
    showConsole()
  })
  const joining = useSignInAction(async () => {
    await join(token)
    showConsole()
  })
  const canJoin = link.next === 'join' && link.signed_in_as !== null

  return (
    <>
      {link.account !== null && link.role !== null && (
        <p>{t.invited({ account: link.account, role: common.roles[link.role] })}</p>
      )}
      {Object.entries(link.site_roles).map(([site, role]) => (
        <p key={site}>{t.invited_to_site({ account: link.account ?? '', site, role: common.roles[role] })}</p>
      ))}
      {canJoin && (
        <>
          <p class="small">{t.join_as({ name: link.signed_in_as ?? '' })}</p>
          {joining.fault && <SignInFault fault={joining.fault} />}
          <Button look="primary" isBusy={joining.isBusy} onClick={joining.run}>
            {t.join}
          </Button>
          <p class="divider">{t.join_as_new_member}</p>
        </>
      )}
      <p class="dimmed small">{t.create_passkey_about}</p>
      <Form run={creating.run}>
        <InputField label={t.passkey_name} hint={t.passkey_name_hint} value={name} onChange={setName} maxLength={100} />
        {creating.fault && <SignInFault fault={creating.fault} />}
        <Button
          icon="fingerprint"
          isBusy={creating.isBusy}
          disabled={name.trim() === ''}
          look={canJoin ? 'default' : 'primary'}
        >
          {t.create_passkey}
        </Button>
        <ProviderSignInButton provider={provider} how={{ token, return_to: '/' }} />
      </Form>
    </>
  )
}
