import type { Texts } from '../texts.ts'

const from_application =
  'Go back to the application and try again. If this page comes again, tell the people who run the application what it says.'
const start_again = 'Go back to the application and log in again.'

export const en: Texts = {
  request_id: 'Request ID',
  pages: {
    client_id_invalid: {
      heading: 'This login link does not work',
      message: 'client_id is invalid.',
      advice: from_application,
    },
    redirect_uri_invalid: {
      heading: 'This login link does not work',
      message: 'redirect_uri is invalid.',
      advice: from_application,
    },
    provider_invalid: {
      heading: 'This login link does not work',
      message: 'login_provider or login_provider_identifier is invalid, or these provider settings are disabled.',
      advice: from_application,
    },
    provider_unavailable: {
      heading: 'This way to log in is not available',
      message: 'Login with this login_provider is not supported.',
      advice: 'Go back to the application and choose another way to log in.',
    },
    no_provider: {
      heading: 'There is no way to log in',
      message: 'This site has no login provider that is configured and enabled.',
      advice: 'Go back to the application, and tell the people who run it what this page says.',
    },
    parameters_malformed: {
      heading: 'This login link does not work',
      message: 'The parameters cannot be read: they are too long, too many, or wrongly encoded.',
      advice: from_application,
    },
    login_ended: {
      heading: 'This login has ended',
      message: 'It was finished already, or took too long.',
      advice: start_again,
    },
    other_browser: {
      heading: 'This login cannot go on here',
      message: 'It was started in another browser, it has expired, or this browser does not keep cookies.',
      advice: 'Allow cookies for this address, then go back to the application and log in again, all in one browser.',
    },
    other_provider: {
      heading: 'This login cannot go on here',
      message: 'It was begun with another login provider.',
      advice: start_again,
    },
    site_invalid: {
      heading: 'This link does not work',
      message: 'The account, the site or the login provider in the address is invalid, or its settings are disabled.',
      advice: from_application,
    },
    callback_invalid: {
      heading: 'This link does not work',
      message: 'callback is invalid.',
      advice: from_application,
    },
    post_logout_redirect_uri_invalid: {
      heading: 'This logout link does not work',
      message: 'post_logout_redirect_uri is invalid.',
      advice: `You are not logged out yet. ${from_application}`,
    },
    form_invalid: {
      heading: 'This cannot be confirmed',
      message: 'The confirmation was not sent by the page that asked for it.',
      advice: 'Nothing was linked. Go back to the application and begin again.',
    },
    bad_request: {
      heading: 'This request cannot be read',
      message: 'The request is malformed.',
      advice: start_again,
    },
    not_found: {
      heading: 'There is no such page',
      message: 'This address is not one of ours, or was not copied completely.',
      advice: 'Check the address, or go back to the application you came from.',
    },
    method_not_allowed: {
      heading: 'This page cannot be asked for this way',
      message: 'The HTTP method is not allowed here.',
      advice: start_again,
    },
    too_many_logins: {
      heading: 'Too many logins from your network',
      message: 'Too many logins were started from this address.',
      advice: 'Wait a minute, then go back to the application and log in again.',
    },
    unavailable: {
      heading: 'This is not available at the moment',
      message: 'Service temporarily unavailable.',
      advice: 'Wait a moment, then go back to the application and try again.',
    },
    defect: {
      heading: 'Something went wrong on our side',
      message: 'Internal server error.',
      advice:
        'Wait a moment, then go back to the application and log in again. If this page comes again, tell the people who run the application the request ID below.',
    },
  },
  choice: {
    heading: (application) => `Log in to ${application}`,
    explanation: 'Choose the account to log in with.',
    way: (provider) => `Continue with ${provider}`,
  },
  confirmation: (provider) => ({
    heading: `Link your ${provider} account?`,
    promise: 'You will then be able to log in with it, too.',
    application: 'Application',
    account: 'Account there',
    linked: 'To be linked',
    linked_account: `The ${provider} account you log in with on the next page`,
    caution:
      'Go on only if the account named here is yours and you began this yourself. If somebody sent you here, cancel: whoever owns that account would get hold of what you link.',
    go: `Continue to ${provider}`,
    cancel: 'Cancel',
  }),
  logout: {
    question: {
      heading: (application) => (application === undefined ? 'Log out?' : `Log out of ${application}?`),
      explanation: 'If you share this device with others, log out when you are done.',
      provider: (provider) => `You logged in with ${provider}. Logging out here does not log you out of ${provider}.`,
      go: 'Log out',
      stay: 'To stay logged in, close this page.',
    },
    ended: {
      heading: 'You are logged out',
      provider: (provider) =>
        `You may still be logged in to ${provider}. If you share this device with others, log out of ${provider} too.`,
      any_provider:
        'You may still be logged in to the account that you logged in with, such as LINE or Google. If you share this device with others, log out there too.',
    },
  },
  deletion: (provider) => ({
    heading: 'Your data was deleted',
    done: `What ${provider} had told us about you is no longer stored here, and neither is our access to your ${provider} account.`,
    rest: 'Your account with the application you logged in to is not part of this. To have it deleted too, ask the people who run the application.',
    completed: 'Completed',
    code: 'Confirmation code',
  }),
}
