// Renders the document that the page names. Test requests go to the page's own origin, the only one that its policy allows.
const element = document.getElementById('reference')
const content = await (await fetch(element?.dataset.content ?? '')).json()
const [{ url }] = content.servers
const testRequests = element?.dataset.testRequests === 'true'

// A global of scalar.js, which the page loads before.
Reflect.get(window, 'Scalar').createApiReference(element, {
  content,
  hideTestRequestButton: !testRequests,
  servers: testRequests
    ? [{ url: new URL(new URL(url).pathname, location.origin).href.replace(/\/$/, '') }]
    : content.servers,
  operationTitleSource: 'summary',
  defaultOpenAllTags: true,
  /**
   * Error responses link to a heading, such as `#error-6`.
   * @param {{ readonly slug: string }} heading
   */
  generateHeadingSlug: ({ slug }) => slug,
  // The headings do not exist yet when the browser looks for the one in the address.
  onLoaded: () => document.getElementById(location.hash.slice(1))?.scrollIntoView(),
  persistAuth: false,
  // Nothing is loaded from, or sent to, another host.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
})

export {}
