"""An API that verifies access tokens of the service. Each tenant has its own notes."""

import json
import os
import re
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt

AUTH_URL = os.environ["AUTH_URL"]
AUDIENCE = os.environ["AUDIENCE"]
PORT = int(os.environ["PORT"])

# By tenant. In production, this is a database.
notes = {}


@lru_cache(maxsize=1000)
def keys_of(issuer):
    """Each tenant is an issuer with keys of its own. The client caches them."""
    return jwt.PyJWKClient(f"{issuer}/jwks")


def verify(token):
    """Returns the claims of a valid token of any tenant. Raises jwt.PyJWTError otherwise."""
    issuer = str(jwt.decode(token, options={"verify_signature": False}).get("iss"))
    # Before its keys are fetched: anybody can write any issuer into a token.
    if not re.fullmatch(re.escape(AUTH_URL) + r"/t/[a-z0-9-]{2,63}", issuer):
        raise jwt.InvalidIssuerError("The token is of another issuer")
    return jwt.decode(
        token,
        keys_of(issuer).get_signing_key_from_jwt(token).key,
        algorithms=["RS256"],
        issuer=issuer,
        audience=AUDIENCE,
        options={"require": ["exp", "iss", "aud", "tenant_id"]},
    )


class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        tenant = self.tenant_of_caller()
        if tenant:
            self.answer(200, notes.get(tenant, []))

    def do_POST(self):
        tenant = self.tenant_of_caller()
        if tenant:
            text = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            notes.setdefault(tenant, []).append(text)
            self.answer(201, text)

    def tenant_of_caller(self):
        """The tenant whose data the caller may see. Answers 401 if there is no valid token."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        try:
            return verify(token if scheme.lower() == "bearer" else "")["tenant_id"]
        except jwt.PyJWTError:
            self.answer(401, {"error": "invalid_token"})

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        if status == 401:
            self.send_header("www-authenticate", 'Bearer error="invalid_token"')
        self.end_headers()
        self.wfile.write(json.dumps(body).encode() + b"\n")


server = ThreadingHTTPServer(("localhost", PORT), Api)
print(f"Listening on {PORT}", flush=True)
server.serve_forever()
