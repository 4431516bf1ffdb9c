import { expect, test } from 'vitest'
import { builtInProviders } from '#contracts'
import { createCaller } from '../caller.ts'
import { setStage } from '../stage.ts'

const stage = setStage()

test('200 with the providers whose settings are complete', async () => {
  const setUp = builtInProviders.filter((name) => Object.hasOwn(stage.site.providers, name))
  const body = { status: 'ok', providers: setUp }
  expect(await stage.web_api.get('providers')).toMatchObject({ status: 200, body })
  expect(await stage.web_api.post('providers')).toMatchObject({ status: 200, body })
})

test('200 with none for a site without settings', async () => {
  const { identity, call, web_api } = stage.serviceStack
  const { site } = await identity.registerSite({ account: 'bare', site_id: 'bare', name: 'bare' }, call())
  const { api_key } = await identity.issueApiKey({ site, name: 'test' }, call())
  await expect
    .poll(() => createCaller(web_api, api_key).get('providers'))
    .toMatchObject({ status: 200, body: { status: 'ok', providers: [] } })
})
