import { Button, Divider, Loader, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { RequestFault, sayingOf } from '../../admin/fault.ts'
import { queryClient } from '../../admin/queries.ts'
import { addPasskey, join, openLink, type SignInAnswer } from '../../admin/sign-in.ts'
import { useAct } from '../../admin/use-act.ts'
import { Failure } from '../../parts/failure.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AtProvider } from './at-provider.tsx'
import { SignIn } from './sign-in.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

type Link = Exclude<SignInAnswer<'openLink'>, { next: 'signed_in' }>

/** What a link for signing in leads to; its token is behind `#`, so that no server's log has it. */
export function SignInLink() {
  const { sign_in: t, common } = useTexts()
  const [, navigate] = useLocation()
  const [token] = useState(() => location.hash.slice(1))
  const [link, setLink] = useState<Link>()
  const looking = useAct(async () => {
    const answer = await openLink(token)
    if (answer.next !== 'signed_in') return setLink(answer)
    await queryClient.resetQueries()
    navigate('/', { replace: true })
  })
  const asked = useRef(false)

  useEffect(() => {
    if (token === '' || asked.current) return
    asked.current = true
    history.replaceState(null, '', '/sign-in')
    looking.run()
  }, [token, looking.run])
  useEffect(() => {
    if (token !== '') document.title = `${t.link_title} – ${common.console}`
  }, [token, t, common])

  const { refused, ...why } = Object.fromEntries(new URLSearchParams(location.search))
  if (token === '') return refused === undefined ? <SignIn /> : <SignIn refused={refusalOf(refused, why)} />
  return (
    <SignInFrame>
      <Title order={1} size="h3">
        {link ? t.welcome({ name: link.name }) : t.link_title}
      </Title>
      {link && <Welcome link={link} token={token} />}
      {!link && !looking.fault && (
        <Text aria-busy="true">
          <Loader size="xs" mr="xs" />
          {t.link_opening}
        </Text>
      )}
      {looking.fault && <Unopened fault={looking.fault} again={() => looking.run()} />}
    </SignInFrame>
  )
}

/** A link that is over is told from one that cannot be looked at now, and works later. */
function Unopened({ fault, again }: { fault: RequestFault; again: () => void }) {
  const { sign_in: t } = useTexts()
  // A link that lost a part on its way is none, either.
  if (!['not_found', 'invalid_request'].includes(fault.fault)) return <Failure fault={fault} again={again} />
  return (
    <>
      <Failure fault={new RequestFault('not_found', '')} says={{ title: t.link_dead, advice: t.link_dead_advice }} />
      <Button component="a" href="/" variant="default">
        {t.title}
      </Button>
    </>
  )
}

/** With which the operator's own provider sent the browser back. */
function refusalOf(name: string, { reason, ...given }: Record<string, string>): RequestFault {
  // Anybody can write an address: of its parameters only names of hosts are shown.
  const parameters = Object.fromEntries(Object.entries(given).filter(([, value]) => /^[\w.-]{1,253}$/.test(value)))
  // Names of faults are the contract's; one that is unknown is shown as something that went wrong.
  return new RequestFault(name as RequestFault['fault'], sayingOf({ reason, parameters }))
}

function Welcome({ link, token }: { link: Link; token: string }) {
  const { sign_in: t, common } = useTexts()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const enter = async () => {
    await queryClient.resetQueries()
    navigate('/', { replace: true })
  }
  const making = useAct(async () => {
    await addPasskey({ token, name: name.trim() })
    await enter()
  })
  const joining = useAct(async () => {
    await join(token)
    await enter()
  })
  const mayJoin = link.next === 'join' && link.signed_in_as !== null

  return (
    <Stack>
      {link.account !== null && link.role !== null && (
        <Text>{t.invited({ account: link.account, role: common.roles[link.role] })}</Text>
      )}
      {mayJoin && (
        <>
          <Text size="sm">{t.join_as({ name: link.signed_in_as ?? '' })}</Text>
          {joining.fault && <Failure fault={joining.fault} />}
          <Button loading={joining.busy} onClick={() => joining.run()}>
            {t.join}
          </Button>
          <Divider label={t.join_not_me} />
        </>
      )}
      <Text size="sm" c="dimmed">
        {t.make_passkey_about}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          making.run()
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
          {making.fault && <Failure fault={making.fault} />}
          <Button
            type="submit"
            leftSection={<IconFingerprint size={20} />}
            loading={making.busy}
            disabled={name.trim() === ''}
            variant={mayJoin ? 'default' : 'filled'}
          >
            {t.make_passkey}
          </Button>
          <AtProvider how={{ token, return_to: '/' }} />
        </Stack>
      </form>
    </Stack>
  )
}
