import { Button, Divider, Loader, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { formatFaultMessage, RequestFault } from '../../admin/fault.ts'
import { queryClient } from '../../admin/queries.ts'
import { addPasskey, join, openLink, type SignInResponse } from '../../admin/sign-in.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { type TranslateReason, useReasonTexts, useTexts } from '../../texts/index.tsx'
import { ProviderSignInButton } from './provider-sign-in-button.tsx'
import { SignInPage } from './sign-in.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

type Link = Exclude<SignInResponse<'openLink'>, { next: 'signed_in' }>

/** The page of a sign-in link. The token is in the fragment, so that it is in no server log. */
export function SignInLinkPage() {
  const { sign_in: t, common } = useTexts()
  const [, navigate] = useLocation()
  const [token] = useState(() => location.hash.slice(1))
  const [link, setLink] = useState<Link>()
  const opening = useAction(async () => {
    const answer = await openLink(token)
    if (answer.next !== 'signed_in') return setLink(answer)
    await queryClient.resetQueries()
    navigate('/', { replace: true })
  })
  const isRequested = useRef(false)

  useEffect(() => {
    if (token === '' || isRequested.current) return
    isRequested.current = true
    history.replaceState(null, '', '/sign-in')
    opening.run()
  }, [token, opening.run])
  useEffect(() => {
    if (token !== '') document.title = `${t.link_title} – ${common.console}`
  }, [token, t, common])

  const { error, ...details } = Object.fromEntries(new URLSearchParams(location.search))
  if (token === '') return error === undefined ? <SignInPage /> : <SignInAfterError error={error} details={details} />
  return (
    <SignInFrame>
      <Title order={1} size="h3">
        {link ? t.welcome({ name: link.name }) : t.link_title}
      </Title>
      {link && <Welcome link={link} token={token} />}
      {!link && !opening.fault && (
        <Text aria-busy="true">
          <Loader size="xs" mr="xs" />
          {t.link_opening}
        </Text>
      )}
      {opening.fault && <InvalidLink fault={opening.fault} again={() => opening.run()} />}
    </SignInFrame>
  )
}

/** Distinguishes an invalid link from one that cannot be checked at the moment. */
function InvalidLink({ fault, again }: { fault: RequestFault; again: () => void }) {
  const { sign_in: t } = useTexts()
  // A truncated link is invalid, too.
  if (!['not_found', 'invalid_request'].includes(fault.fault)) return <FaultAlert fault={fault} retry={again} />
  return (
    <>
      <FaultAlert
        fault={new RequestFault('not_found', '')}
        says={{ title: t.link_invalid, advice: t.link_invalid_advice }}
      />
      <Button component="a" href="/" variant="default">
        {t.title}
      </Button>
    </>
  )
}

/** The sign-in page, with the error of the operator's own provider. */
function SignInAfterError({ error, details }: { error: string; details: Record<string, string> }) {
  const translate = useReasonTexts()
  return <SignInPage previousFault={toReturnedFault(error, details, translate)} />
}

/** Parses the error with which the callback of the operator's own provider returned. */
function toReturnedFault(
  name: string,
  { reason, ...values }: Record<string, string>,
  translate: TranslateReason,
): RequestFault {
  // Anyone can create such a URL, so only parameters that look like host names are shown.
  const parameters = Object.fromEntries(Object.entries(values).filter(([, value]) => /^[\w.-]{1,253}$/.test(value)))
  // Unknown names are shown as unexpected errors.
  return new RequestFault(name as RequestFault['fault'], formatFaultMessage({ reason, parameters }, translate))
}

function Welcome({ link, token }: { link: Link; token: string }) {
  const { sign_in: t, common } = useTexts()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const showConsole = async () => {
    await queryClient.resetQueries()
    navigate('/', { replace: true })
  }
  const creating = useAction(async () => {
    await addPasskey({ token, name: name.trim() })
    await showConsole()
  })
  const joining = useAction(async () => {
    await join(token)
    await showConsole()
  })
  const canJoin = link.next === 'join' && link.signed_in_as !== null

  return (
    <Stack>
      {link.account !== null && link.role !== null && (
        <Text>{t.invited({ account: link.account, role: common.roles[link.role] })}</Text>
      )}
      {Object.entries(link.site_roles).map(([site, role]) => (
        <Text key={site}>{t.invited_to_site({ account: link.account ?? '', site, role: common.roles[role] })}</Text>
      ))}
      {canJoin && (
        <>
          <Text size="sm">{t.join_as({ name: link.signed_in_as ?? '' })}</Text>
          {joining.fault && <FaultAlert fault={joining.fault} />}
          <Button loading={joining.isBusy} onClick={() => joining.run()}>
            {t.join}
          </Button>
          <Divider label={t.join_as_new_member} />
        </>
      )}
      <Text size="sm" c="dimmed">
        {t.create_passkey_about}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.run()
        }}
      >
        <Stack>
          <TextInput
            label={t.passkey_name}
            description={t.passkey_name_hint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={100}
            data-autofocus
          />
          {creating.fault && <FaultAlert fault={creating.fault} />}
          <Button
            type="submit"
            leftSection={<IconFingerprint size={20} />}
            loading={creating.isBusy}
            disabled={name.trim() === ''}
            variant={canJoin ? 'default' : 'filled'}
          >
            {t.create_passkey}
          </Button>
          <ProviderSignInButton how={{ token, return_to: '/' }} />
        </Stack>
      </form>
    </Stack>
  )
}
