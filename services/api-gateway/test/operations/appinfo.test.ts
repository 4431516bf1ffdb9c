import { expect, test } from 'vitest'
import { setStage } from '../stage.ts'

const stage = setStage()

test('200 with the account and the service of the key', async () => {
  const { account, site_id } = stage.site
  const body = { status: 'ok', info: { account, site_id } }
  expect(await stage.web_api.get('appinfo')).toMatchObject({ status: 200, body })
  expect(await stage.web_api.post('appinfo')).toMatchObject({ status: 200, body })
})
