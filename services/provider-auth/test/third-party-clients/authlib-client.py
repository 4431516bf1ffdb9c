"""One step of a login with Authlib: JSON in, JSON out. Without `callback` it begins one, with it it ends one."""

import json
import os
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebToken
from authlib.oidc.core import CodeIDToken

# The tests use plain HTTP, only on loopback.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"


def session(given, **more):
    return OAuth2Session(
        given["client_id"],
        given["client_secret"],
        redirect_uri=given["redirect_uri"],
        scope="openid profile",
        code_challenge_method="S256",
        **more,
    )


def begin(given, server):
    verifier, nonce = generate_token(48), generate_token(24)
    address, state = session(given).create_authorization_url(
        server["authorization_endpoint"], code_verifier=verifier, nonce=nonce
    )
    return {"address": address, "state": state, "nonce": nonce, "verifier": verifier}


def finish(given, server):
    client = session(given, state=given["state"])
    token = client.fetch_token(
        server["token_endpoint"], authorization_response=given["callback"], code_verifier=given["verifier"]
    )
    claims = JsonWebToken(["RS256"]).decode(
        token["id_token"],
        requests.get(server["jwks_uri"]).json(),
        claims_cls=CodeIDToken,
        claims_options={"iss": {"value": server["issuer"]}, "aud": {"value": given["client_id"]}},
        claims_params={"nonce": given["nonce"], "client_id": given["client_id"]},
    )
    claims.validate()
    userinfo = client.get(server["userinfo_endpoint"]).json()
    if userinfo["sub"] != claims["sub"]:
        raise ValueError("userinfo is about another user")
    return {"sub": userinfo["sub"], "name": userinfo["name"]}


given = json.load(sys.stdin)
server = requests.get(given["metadata_url"]).json()
try:
    result = finish(given, server) if "callback" in given else begin(given, server)
except Exception as error:  # any error means that the login failed
    result = {"rejected": f"{type(error).__name__}: {error}"}
json.dump(result, sys.stdout)
