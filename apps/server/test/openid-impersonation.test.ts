import { beforeAll, describe, expect, it } from "vitest";
import { totpOf } from "../../../packages/tenant-auth/test/support/providers/totp";
import { notEmpty } from "../../../testing/not-empty";
import {
	atTheEndOfFile,
	authorizationRequest,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
} from "./running-issuers";
import { asManager } from "./running-service";

const atTheEnd = atTheEndOfFile();
const PASSWORD = "correct horse battery";

let issuers: RunningIssuers;
let tenant: IssuingTenant;
let signedQuery: string;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	tenant = await issuers.newTenant("acme");
	const config = await connect(tenant, await issuers.createApplication(tenant.tenantId));
	const { url } = await authorizationRequest(config);
	signedQuery = (await newBrowser(issuers).open(url)).url.search.slice(1);
});

const cookiesOf = (response: Response) =>
	response.headers
		.getSetCookie()
		.map((cookie) => cookie.split(";")[0])
		.join("; ");

/** A call with the query of an authorization that waits for a sign-in. */
const goOn = async (path: string, body: object, cookie = "", headers = {}) => {
	const response = await fetch(`${issuers.baseUrl}/api/auth${path}`, {
		method: "POST",
		redirect: "manual",
		headers: {
			"content-type": "application/json",
			"x-tenant-id": tenant.tenantId,
			origin: issuers.baseUrl,
			...(cookie ? { cookie } : {}),
			...headers,
		},
		body: JSON.stringify({ ...body, oauth_query: signedQuery }),
	});
	return { response, sent: `${response.headers.get("location")} ${await response.text()}` };
};

/** Calls that answer with a session cookie. */
const CALLS: [string, object][] = [
	["/update-user", { name: "Ada" }],
	["/update-session", {}],
	["/oauth2/consent", { accept: true }],
	["/oauth2/continue", { postLogin: true }],
];

describe("no authorization code comes from", () => {
	it("a session that impersonates a user", async () => {
		const { tenantId, userId } = tenant;
		const body = { tenantId, userId, reason: "A ticket", setCookie: true };
		const headers = { ...asManager, origin: issuers.baseUrl };
		const cookie = cookiesOf(await issuers.post("/tenant/user/impersonate", body, headers));
		expect(cookie).toContain("session_token");
		for (const [path, body] of notEmpty(CALLS)) {
			expect((await goOn(path, body, cookie)).sent, path).not.toContain("code=");
		}
		const url = `${tenant.issuer}/oauth2/authorize?${signedQuery}`;
		const asked = await fetch(url, { headers: { cookie }, redirect: "manual" });
		expect(asked.headers.get("location")).not.toContain("code=");
	});

	it("a call of a signed-in user that is no sign-in", async () => {
		const { email } = tenant;
		const signedIn = await goOn("/tenant/sign-in/email", { email, password: PASSWORD });
		expect(signedIn.sent).toContain("code=");
		const cookie = cookiesOf(signedIn.response);
		const { response, sent } = await goOn("/update-user", { name: "Ada" }, cookie);
		expect([response.status, sent.includes("code=")]).toEqual([200, false]);
	});

	it("a password without its second factor", async () => {
		const { email } = await issuers.newTenant("globex").then((other) => {
			tenant = other;
			return other;
		});
		const config = await connect(tenant, await issuers.createApplication(tenant.tenantId));
		const { url } = await authorizationRequest(config);
		signedQuery = (await newBrowser(issuers).open(url)).url.search.slice(1);
		const credentials = { email, password: PASSWORD };
		const call = (path: string, body: object, cookie = "") =>
			issuers.post(path, body, {
				"x-tenant-id": tenant.tenantId,
				origin: issuers.baseUrl,
				cookie,
			});
		const cookie = cookiesOf(await call("/tenant/sign-in/email", credentials));
		const enabled = await call("/two-factor/enable", { password: PASSWORD }, cookie);
		const { totpURI } = (await enabled.json()) as { totpURI: string };
		const verified = await call("/two-factor/verify-totp", { code: totpOf(totpURI) }, cookie);
		expect(verified.status).toBe(200);
		for (const accept of ["text/html", "application/json"]) {
			const { sent } = await goOn("/tenant/sign-in/email", credentials, "", { accept });
			expect(sent).toContain("twoFactorRedirect");
			expect(sent).not.toContain("code=");
		}
	});
});
