import { Button, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Page } from '../parts/page.tsx'
import { useTexts } from '../texts/index.tsx'

export function NotFoundPage() {
  const { shell: t } = useTexts()
  return (
    <Page title={t.not_found}>
      <Text>{t.not_found_advice}</Text>
      <Button component={Link} href="/accounts" variant="default" style={{ alignSelf: 'flex-start' }}>
        {t.to_accounts}
      </Button>
    </Page>
  )
}
