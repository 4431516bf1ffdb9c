// The smoke test of `helm test`: every service is ready, and the public endpoints respond correctly.
const { COMPONENTS = '', WEB_API, AUTHORIZATION, CONSOLE } = process.env
const wrong = []

async function expect(title, url, holds) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: 'manual' })
    const text = await response.text()
    if (holds(response, text)) console.log(`ok    ${title}`)
    else wrong.push(`${title}: ${url} answered ${response.status} ${text.slice(0, 200)}`)
  } catch (error) {
    wrong.push(`${title}: ${url} did not answer, ${error.cause?.code ?? error.name}`)
  }
}

for (const address of COMPONENTS.split(',')) {
  await expect(`${address} can serve`, `http://${address}/readyz`, ({ status }) => status === 200)
}
if (WEB_API) {
  await expect('the Web API requires a key', `http://${WEB_API}/api/appinfo`, ({ status }, text) => {
    return status >= 400 && status < 500 && text.startsWith('{')
  })
}
if (AUTHORIZATION) {
  await expect(
    'the authorization endpoint is described',
    `http://${AUTHORIZATION}/.well-known/openid-configuration`,
    ({ status }, text) => status === 200 && text.includes('authorization_endpoint'),
  )
}
if (CONSOLE) {
  await expect('the console shows its page', `http://${CONSOLE}/`, ({ status }, text) => {
    return status === 200 && text.includes('<html')
  })
}
for (const line of wrong) console.error(`WRONG ${line}`)
process.exit(wrong.length === 0 ? 0 : 1)
