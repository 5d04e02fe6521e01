import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { newOperator } from "./operator-accounts";
import {
	cookiesOf,
	managementKey,
	type RunningService,
	runningService,
	useService,
} from "./running-service";

const app = "http://app.localhost:3000";
const service = useService({ TRUSTED_ORIGINS: app, RATE_LIMIT_ACCOUNT: "off" });

/** Valid for all endpoints: each gets what it knows. */
const values: Record<string, unknown> = {
	...{ email: "new@example.com", name: "New", role: "owner", userId: "x", id: "x", keyId: "x" },
	...{ scopes: ["operator"], key: managementKey, type: "web", clientId: "x", slug: "evil" },
	...{ redirectUris: ["https://app.example.com/callback"], password: "correct horse battery" },
	...{ currentPassword: "correct horse battery", newPassword: "another long password" },
	...{ code: "123456", setup: "x", sessionId: "x", firstParty: true },
	...{ action: "tenant:export", tenantId: "x" },
	...{ kind: "invitation", language: "en", subject: "Hello", text: "{{link}}", button: "Open" },
};

type Endpoint = {
	path?: string;
	options?: { method?: string | string[]; body?: { shape?: object } };
};

const bodyOf = (shape: object = {}) =>
	Object.fromEntries(
		Object.keys(shape).flatMap((key) => (key in values ? [[key, values[key]]] : [])),
	);

/** All endpoints of operators, from the code. */
const operatorEndpoints = ({ backend }: RunningService) =>
	Object.values(backend.auth.api as object as Record<string, Endpoint>).flatMap(
		({ path, options }) => {
			if (!path?.startsWith("/operator/")) return [];
			const body = bodyOf(options?.body?.shape);
			return [{ path: `/api/auth${path}`, method: String(options?.method), body }];
		},
	);

/** What another page can do with a browser in which an operator is signed in. */
const otherPages = {
	"a trusted app": { origin: app },
	"another site": { origin: "https://evil.example.com" },
	"a page without an origin": { origin: "null" },
	"a link or an image of the same site": { "sec-fetch-site": "same-site" },
	"a link of another site": { "sec-fetch-site": "cross-site" },
	"a page in an old browser": { referer: `${app}/page` },
};

async function cookiesOfOwner(running: RunningService): Promise<string> {
	const { cookie, headers } = await newOperator(
		running,
		"owner",
		`${crypto.randomUUID()}@example.com`,
	);
	const opened = await running.post("/operator/session/open", {}, headers);
	expect(opened.status).toBe(200);
	return `${cookie}; ${cookiesOf(opened)}`;
}

const send = (
	{ call }: RunningService,
	path: string,
	method: string,
	headers: object,
	body: object = {},
) =>
	call(path.endsWith("/get") ? `${path}?clientId=x&kind=invitation&language=en` : path, {
		method,
		headers: { "content-type": "application/json", ...headers },
		...(method === "POST" ? { body: JSON.stringify(body) } : {}),
	});

test.each(Object.entries(otherPages))(
	"an operator's cookies do not count from %s",
	async (_, page) => {
		const running = await service();
		const cookie = await cookiesOfOwner(running);
		const paths = [
			...operatorEndpoints(running),
			...["info", "overview", "jobs", "users?search=ada", "audit"].map((name) => ({
				path: `/service/${name}`,
				method: "GET",
				body: {},
			})),
			{ path: "/service/mail-test", method: "POST", body: { to: "new@example.com" } },
			{ path: "/api/auth/tenant/list", method: "GET", body: {} },
			{ path: "/api/auth/tenant/create", method: "POST", body: { name: "New", slug: "evil" } },
		];
		// To close a session needs none: it ends that of the cookie, and there is none.
		const refused = paths.filter(({ path }) => path !== "/api/auth/operator/session/close");
		for (const { path, method, body } of notEmpty(refused)) {
			const answer = await send(running, path, method, { cookie, ...page }, body);
			expect([method, path, answer.status]).toEqual([method, path, expect.toBeOneOf([401, 403])]);
		}
		await send(running, "/api/auth/operator/session/close", "POST", { cookie, ...page });
		const own = await send(running, "/api/auth/operator/me", "GET", { cookie });
		expect(await own.json()).toMatchObject({ status: "allowed", role: "owner" });
	},
);

test("no page of another origin can read what operators see", async () => {
	const running = await service();
	for (const { path } of notEmpty(operatorEndpoints(running))) {
		for (const method of ["GET", "OPTIONS"]) {
			const headers = { origin: app, "access-control-request-method": "POST" };
			const answer = await running.call(path, { method, headers });
			expect(answer.headers.has("access-control-allow-origin")).toBe(false);
		}
	}
	const users = await running.call("/api/auth/get-session", { headers: { origin: app } });
	expect(users.headers.get("access-control-allow-origin")).toBe(app);
});

test("an operator's cookies count from pages of the service, and a key from anywhere", async () => {
	const running = await runningService({ TRUSTED_ORIGINS: app });
	const cookie = await cookiesOfOwner(running);
	const statusOf = async (headers: object) =>
		(await send(running, "/api/auth/operator/list", "GET", headers)).status;
	expect(await statusOf({ cookie, origin: running.baseUrl })).toBe(200);
	expect(await statusOf({ cookie, "sec-fetch-site": "same-origin" })).toBe(200);
	expect(await statusOf({ cookie, "sec-fetch-site": "none" })).toBe(200);
	expect(await statusOf({ cookie, referer: `${running.baseUrl}/console` })).toBe(200);
	expect(await statusOf({ authorization: `Bearer ${managementKey}`, origin: app })).toBe(200);
});
