import { Button } from '@mantine/core'
import { IconBuildingSkyscraper } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../admin/call.ts'
import { readSignInProvider, signInAtProvider } from '../../admin/sign-in.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'

type SignInParameters = Parameters<typeof signInAtProvider>[0]

/** Button to sign in with the operator's own OpenID provider, or to confirm at the provider with which the member can sign in. */
export function ProviderSignInButton({ how }: { how: SignInParameters }) {
  const { sign_in: t } = useTexts()
  const { data: provider } = useQuery({
    queryKey: ['signInProvider', how.confirm === true],
    queryFn: how.confirm === true ? readOwnProvider : readSignInProvider,
    staleTime: Infinity,
  })
  const redirecting = useAction(() => signInAtProvider(how))
  if (!provider) return null
  return (
    <>
      {redirecting.fault && <FaultAlert fault={redirecting.fault} />}
      <Button
        variant="default"
        leftSection={<IconBuildingSkyscraper size={20} />}
        loading={redirecting.isBusy}
        onClick={() => redirecting.run()}
      >
        {t.at_provider({ provider })}
      </Button>
    </>
  )
}

/** The host name of the provider with which the signed-in member can confirm; null: none. */
async function readOwnProvider(): Promise<string | null> {
  return (await call('readMe', {})).provider
}
