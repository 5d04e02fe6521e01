import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { REDIRECT_URI, runningIssuers } from "./running-issuers";

/** Authlib is the OpenID Connect library that most Python apps use. */
const script = `
import os, re, sys
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
issuer, client_id, client_secret, redirect_uri, tenant_id, email, password = sys.argv[1:]
server = requests.get(issuer + "/.well-known/openid-configuration").json()
client = OAuth2Session(client_id, client_secret, scope="openid profile email offline_access",
                       redirect_uri=redirect_uri, code_challenge_method="S256")
verifier, nonce = "v" * 64, "the-nonce"
url, state = client.create_authorization_url(server["authorization_endpoint"],
                                             code_verifier=verifier, nonce=nonce)
browser = requests.Session()
page = browser.get(url, allow_redirects=False).headers["location"]
base = re.match(r"https?://[^/]+", issuer).group(0)
answer = browser.post(base + "/api/auth/tenant/sign-in/email", headers={"x-tenant-id": tenant_id, "origin": base},
                      json={"email": email, "password": password, "oauth_query": page.split("?", 1)[1]}).json()
token = client.fetch_token(server["token_endpoint"], authorization_response=answer["url"],
                           code_verifier=verifier, state=state)
keys = JsonWebKey.import_key_set(requests.get(server["jwks_uri"]).json())
claims = jwt.decode(token["id_token"], keys, claims_cls=CodeIDToken, claims_options={
    "iss": {"value": server["issuer"]}, "aud": {"value": client_id}, "nonce": {"value": nonce}})
claims.validate()
assert claims["iss"] == issuer and claims["tenant_id"] == tenant_id, claims
assert client.get(server["userinfo_endpoint"]).json()["email"] == email
old = token["refresh_token"]
new = client.refresh_token(server["token_endpoint"], refresh_token=old)
assert new["refresh_token"] != old
assert client.introspect_token(server["introspection_endpoint"], token=new["access_token"]).json()["active"]
assert client.revoke_token(server["revocation_endpoint"], token=new["access_token"]).status_code == 200
assert not client.introspect_token(server["introspection_endpoint"], token=new["access_token"]).json()["active"]
print("all of it works")
`;

const python = process.env.TEST_PYTHON ?? "python3";
const hasAuthlib = spawnSync(python, ["-c", "import authlib, requests"]).status === 0;

it.skipIf(!hasAuthlib)("a client in Python with Authlib signs a user in", async () => {
	const issuers = await runningIssuers(onTestFinished);
	const { issuer, tenantId, email } = await issuers.newTenant("acme");
	const { clientId, clientSecret } = await issuers.createApplication(tenantId);
	const values = [issuer, clientId, clientSecret ?? "", REDIRECT_URI, tenantId, email];
	const child = spawn(python, ["-c", script, ...values, "correct horse battery"], {
		env: { PATH: process.env.PATH },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.on("data", (chunk) => {
			output += chunk;
		});
	}
	await once(child, "close");
	expect(output.trim().split("\n").at(-1)).toBe("all of it works");
});
