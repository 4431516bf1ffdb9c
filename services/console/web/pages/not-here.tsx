import { Button, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Page } from '../parts/page.tsx'
import { useTexts } from '../texts/index.tsx'

export function NotHere() {
  const { shell: t } = useTexts()
  return (
    <Page title={t.not_here}>
      <Text>{t.not_here_advice}</Text>
      <Button component={Link} href="/accounts" variant="default" style={{ alignSelf: 'flex-start' }}>
        {t.to_accounts}
      </Button>
    </Page>
  )
}
