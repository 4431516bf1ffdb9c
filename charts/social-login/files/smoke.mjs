// The smoke test of `helm test`: every service is ready, and the public endpoints respond correctly.
const { COMPONENTS = '', WEB_API, AUTHORIZATION, CONSOLE, RETRY_SECONDS = '30' } = process.env
const wrong = []
// Where network policies are enforced, a new pod cannot connect until the network plugin knows its address.
const retryUntil = Date.now() + 1_000 * RETRY_SECONDS

async function expect(title, url, holds) {
  let problem = await findProblem(url, holds)
  if (problem && Date.now() < retryUntil) console.log(`wait  ${title}: ${problem}`)
  while (problem && Date.now() < retryUntil) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    problem = await findProblem(url, holds)
  }
  if (problem) wrong.push(`${title}: ${problem}`)
  else console.log(`ok    ${title}`)
}

async function findProblem(url, holds) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: 'manual' })
    const text = await response.text()
    return holds(response, text) ? undefined : `${url} answered ${response.status} ${text.slice(0, 200)}`
  } catch (error) {
    return `${url} did not answer, ${error.cause?.code ?? error.name}`
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
