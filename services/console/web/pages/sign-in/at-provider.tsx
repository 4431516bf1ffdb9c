import { Button } from '@mantine/core'
import { IconBuildingSkyscraper } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { signInAtProvider, signInProvider } from '../../admin/sign-in.ts'
import { useAct } from '../../admin/use-act.ts'
import { Failure } from '../../parts/failure.tsx'
import { useTexts } from '../../texts/index.tsx'

type How = Parameters<typeof signInAtProvider>[0]

/** A button to the operator's own OpenID provider, where there is one. */
export function AtProvider({ how }: { how: How }) {
  const { sign_in: t } = useTexts()
  const { data: provider } = useQuery({ queryKey: ['signInProvider'], queryFn: signInProvider, staleTime: Infinity })
  const leaving = useAct(() => signInAtProvider(how))
  if (!provider) return null
  return (
    <>
      {leaving.fault && <Failure fault={leaving.fault} />}
      <Button
        variant="default"
        leftSection={<IconBuildingSkyscraper size={20} />}
        loading={leaving.busy}
        onClick={() => leaving.run()}
      >
        {t.at_provider({ provider })}
      </Button>
    </>
  )
}
