import { Button } from '@mantine/core'
import { IconBuildingSkyscraper } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { readSignInProvider, signInAtProvider } from '../../admin/sign-in.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'

type SignInParameters = Parameters<typeof signInAtProvider>[0]

/** Button to sign in with the operator's own OpenID provider, if one is configured. */
export function ProviderSignInButton({ how }: { how: SignInParameters }) {
  const { sign_in: t } = useTexts()
  const { data: provider } = useQuery({
    queryKey: ['signInProvider'],
    queryFn: readSignInProvider,
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
