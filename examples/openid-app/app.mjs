// A sample app whose users sign in at the service, each at their own tenant.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as openid from "openid-client";

const {
	AUTH_URL = "http://localhost:3000",
	APPLICATION = "data/application.json",
	PORT = "4000",
} = process.env;
const app = `http://localhost:${PORT}`;

/** What `tenant-auth application create --json` has printed. */
const { clientId, clientSecret } = JSON.parse(readFileSync(APPLICATION, "utf8"));

/** By the cookie of the browser. In production, use the sessions of your framework. */
const sessions = new Map();

/** Each tenant is an issuer. The client id and the secret are the same at all of them. */
const issuers = new Map();

async function issuerOf(tenant) {
	if (!/^[a-z\d][a-z\d-]*$/.test(tenant ?? "")) throw new Error("Enter the name of a workspace");
	const known = issuers.get(tenant);
	if (known) return known;
	// Without the last argument, the library refuses http. You need it in development only.
	const found = await openid.discovery(
		new URL(`${AUTH_URL}/t/${tenant}`),
		clientId,
		clientSecret,
		undefined,
		{ execute: [openid.allowInsecureRequests] },
	);
	issuers.set(tenant, found);
	return found;
}

async function startSignIn(session, url) {
	session.tenant = url.searchParams.get("tenant");
	session.verifier = openid.randomPKCECodeVerifier();
	session.state = openid.randomState();
	return openid.buildAuthorizationUrl(await issuerOf(session.tenant), {
		redirect_uri: `${app}/callback`,
		scope: "openid profile email",
		code_challenge: await openid.calculatePKCECodeChallenge(session.verifier),
		code_challenge_method: "S256",
		state: session.state,
	});
}

async function finishSignIn(session, url) {
	const issuer = await issuerOf(session.tenant);
	const tokens = await openid.authorizationCodeGrant(issuer, url, {
		pkceCodeVerifier: session.verifier,
		expectedState: session.state,
	});
	session.idToken = tokens.id_token;
	session.user = await openid.fetchUserInfo(issuer, tokens.access_token, tokens.claims().sub);
	return `${app}/`;
}

async function signOut(session) {
	const { tenant, idToken } = session;
	session.user = null;
	return openid.buildEndSessionUrl(await issuerOf(tenant), {
		id_token_hint: idToken,
		post_logout_redirect_uri: `${app}/`,
	});
}

const steps = { "/sign-in": startSignIn, "/callback": finishSignIn, "/sign-out": signOut };

const toHtml = (text) => String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const page = (content) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sample app</title>
<style>body { font: 1.1rem system-ui; max-width: 30rem; margin: 4rem auto; padding: 0 1rem; overflow-wrap: anywhere }</style>
<main>
<h1>Sample app</h1>
${content}
</main>
</html>`;

const signedOut = `<form action="/sign-in">
<label>Workspace <input name="tenant" value="acme" required></label>
<button>Sign in</button>
</form>`;

const signedIn = ({ name, email, tenant_id }) => `<p>Hello ${toHtml(name)}</p>
<p>${toHtml(email)}, of tenant ${toHtml(tenant_id)}</p>
<p><a href="/sign-out">Sign out</a></p>`;

createServer(async (request, response) => {
	const url = new URL(request.url, app);
	const id = /app-session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? randomUUID();
	const session = sessions.get(id) ?? {};
	sessions.set(id, session);
	response.setHeader("set-cookie", `app-session=${id}; HttpOnly; SameSite=Lax; Path=/`);
	response.setHeader("content-type", "text/html; charset=utf-8");
	try {
		const step = steps[url.pathname];
		if (step) {
			const location = String(await step(session, url));
			return response.writeHead(302, { location }).end();
		}
		response.end(page(session.user ? signedIn(session.user) : signedOut));
	} catch (error) {
		const problem = toHtml(error.error_description ?? error.message);
		response.writeHead(400).end(page(`<p>${problem}</p><p><a href="/">Back</a></p>`));
	}
}).listen(Number(PORT), "localhost", () => console.log(`Open ${app}`));
