import type { LoginReason, loginOnlyReasons } from '../objects/login-record.ts'
import { rejectionExplanations } from './rejection-explanations.ts'

/**
 * Explains the reasons that only logins have to developers: what happened, why, and what to do. The console has the same
 * texts in other languages.
 */
export const loginOnlyExplanations: Readonly<Record<(typeof loginOnlyReasons)[number], string>> = {
  succeeded: 'The login succeeded. The application received what it requested.',
  code_not_redeemed:
    'The login succeeded, but the application has not exchanged its code within a minute. Look for rejected token requests of the client at this time, and check that the redirect URI leads to the code that exchanges it.',
  not_returned_yet:
    'The end user is at the login provider, or has not answered the terms of the site yet. Wait, or read the login again later.',
  not_returned:
    'The browser did not come back from the login provider within ten minutes, or the end user did not answer the terms of the site. The end user closed the page, used the back button, or the provider showed an error of its own. If it happens often, run a test login: the provider’s page names errors of the client ID or the callback URL.',
  denied_by_user:
    'The end user cancelled the login or did not grant the permissions. Nothing needs to be corrected. Offer the login again.',
  terms_declined:
    'The end user did not accept the terms of the site and canceled. Nothing needs to be corrected. Offer the login again.',
  user_mismatch:
    'Another user logged in than the one of id_token_hint. Let the end user log in with the account of that user, or omit id_token_hint.',
  authentication_too_old:
    'The provider authenticated the end user longer ago than max_age allows, and did not ask again. Send prompt=login, or a larger max_age.',
  login_expired:
    'The browser came back from the login provider after the ten minutes that a login may take. Let the end user start again.',
  other_browser:
    'The browser that came back from the login provider does not have the cookies of the login. The provider’s app opened another browser, or the browser blocks cookies. Let the end user start again in the browser in which the login ends, and open the login outside of web views of apps.',
  other_provider:
    'The browser came back at the callback URL of another login provider or site. Register the callback URL of this provider’s page at the provider.',
  association_token_invalid:
    'The association token was used before, has expired after 30 minutes, or another browser has confirmed the link. Request a new one for each link.',
  provider_already_linked:
    'The user already has an account of this provider. To link another one, unlink the current one first.',
  account_of_another_user:
    'The account at the provider belongs to another user of the site. Let that user unlink it, or merge the two users.',
  user_not_found:
    'No user of the site has this account, and the page logs in existing users only. Offer a login that creates users, or link the account first.',
  provider_error:
    'The login provider ended the login with an error, or its response was not usable. Run a test login on the provider’s page to see its requests. With the request ID, the operator finds the error in the log.',
  provider_client:
    'The login provider does not accept the client: the client ID or the client secret is wrong or has expired. Compare both with the provider’s console and correct them on the provider’s page.',
  provider_redirect_uri:
    'The callback URL is not registered at the login provider. Copy it from the provider’s page and register it in the provider’s console.',
  provider_scopes:
    'The login provider does not know a scope, or has not approved it for the application. Check the permissions in the provider’s console and in the provider settings.',
  provider_pkce:
    'The login provider did not accept the PKCE challenge. Change the setting pkce of the provider, then run a test login.',
  provider_issuer:
    'The ID Token is of another issuer than the one that is configured. Enter the issuer exactly as in the claim iss.',
  provider_nonce:
    'The ID Token does not repeat the nonce of the login. If the provider never does, set nonce to false in its settings.',
  provider_clock:
    'The times of the ID Token do not fit: it is not valid yet or has expired. Check the clocks of the provider and of the servers, or clock_tolerance_seconds.',
  provider_id_token_alg:
    'The ID Token is signed with another algorithm than the one that is configured. Correct id_token_alg in the provider settings.',
  provider_id_token_missing:
    'The login provider sent no ID Token. Check that the scopes in the provider settings contain openid.',
  provider_user_id:
    'The response of the login provider has no user ID. Check user_id and the user endpoint in the provider settings.',
  provider_keys:
    'The signature of the ID Token does not match the keys of the login provider. Check the endpoint jwks in the provider settings.',
  provider_unreachable:
    'The login provider did not respond in time, or with a server error. Check its status page. If the site configured the provider, check the endpoints as well. Logins work again when it responds.',
  provider_response:
    'The response of the login provider could not be read. Check the endpoints in the provider settings, and run a test login to see its requests.',
  service_unavailable:
    'A part of this service was temporarily unavailable. Let the end user log in again. If it happens again, send the request ID to the operator.',
  internal_error:
    'The login failed inside this service. Send the request ID to the operator, who finds the cause in the log.',
}

/** Explains every reason of a login. */
export const loginExplanations: Readonly<Record<LoginReason, string>> = {
  ...rejectionExplanations,
  ...loginOnlyExplanations,
}
