// Signs users in with OpenID Connect: authorization code and PKCE, without a secret and a server.
import * as oauth from "./oauth4webapi.js";

const { authUrl, clientId } = await (await fetch("/settings.json")).json();
const home = `${location.origin}/`;
const client = { client_id: clientId };
// Without this, the library refuses http. You need it in development only.
const options = { [oauth.allowInsecureRequests]: location.hostname === "localhost" };

/** Each tenant is an issuer. The client id is the same at all of them. */
async function findIssuer(workspace) {
	const issuer = new URL(`${authUrl}/t/${encodeURIComponent(workspace)}`);
	const response = await oauth.discoveryRequest(issuer, options);
	if (response.status === 404) throw new Error("There is no such workspace");
	return oauth.processDiscoveryResponse(issuer, response);
}

/** Leaves the page. */
async function signIn(workspace) {
	const issuer = await findIssuer(workspace);
	const verifier = oauth.generateRandomCodeVerifier();
	const state = oauth.generateRandomState();
	sessionStorage.setItem("sign-in", JSON.stringify({ workspace, verifier, state }));
	const url = new URL(issuer.authorization_endpoint);
	url.search = new URLSearchParams({
		client_id: clientId,
		redirect_uri: home,
		response_type: "code",
		scope: "openid profile email",
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: "S256",
		state,
	});
	location.assign(url);
}

/** The user comes back with a code. Tokens stay in memory: after a reload, one click gets new ones. */
async function finishSignIn() {
	const { workspace, verifier, state } = JSON.parse(sessionStorage.getItem("sign-in") ?? "{}");
	sessionStorage.removeItem("sign-in");
	const url = new URL(location.href);
	// The code must not stay in the address.
	history.replaceState(null, "", "/");
	const issuer = await findIssuer(workspace);
	const answer = oauth.validateAuthResponse(issuer, client, url, state);
	const tokens = await oauth.processAuthorizationCodeResponse(
		issuer,
		client,
		await oauth.authorizationCodeGrantRequest(
			issuer,
			client,
			oauth.None(),
			answer,
			home,
			verifier,
			options,
		),
		{ requireIdToken: true },
	);
	const { sub } = oauth.getValidatedIdTokenClaims(tokens);
	const user = await oauth.processUserInfoResponse(
		issuer,
		client,
		sub,
		await oauth.userInfoRequest(issuer, client, tokens.access_token, options),
	);
	return { issuer, user, idToken: tokens.id_token };
}

/** Leaves the page, and also signs out at the service. */
function signOut({ issuer, idToken }) {
	const url = new URL(issuer.end_session_endpoint);
	url.search = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: home });
	location.assign(url);
}

const find = (id) => document.getElementById(id);

function show(session) {
	find("signed-out").hidden = Boolean(session);
	find("signed-in").hidden = !session;
	if (!session) return;
	find("name").textContent = session.user.name;
	find("email").textContent = session.user.email;
	find("tenant").textContent = session.user.tenant_id;
	find("sign-out").onclick = () => signOut(session);
}

function showProblem(error) {
	find("problem").textContent = error.error_description ?? error.message;
	show(null);
}

find("signed-out").onsubmit = (event) => {
	event.preventDefault();
	signIn(new FormData(event.target).get("workspace")).catch(showProblem);
};

if (new URLSearchParams(location.search).has("state")) finishSignIn().then(show, showProblem);
else show(null);
