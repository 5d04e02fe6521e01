import type Database from "libsql";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { notEmpty } from "../../../../testing/not-empty";
import { watchRows } from "../support/databases/sqlite-rows";
import { ROUTES, type RouteName } from "../support/http/all-routes";
import { makeTarget, routeNames, type Target, validCall } from "../support/http/endpoint-calls";
import { ENDPOINTS } from "../support/worlds/features";
import { type Instance, MANAGEMENT_KEY, makeInstance, ORIGIN } from "../support/worlds/instance";
import { someOf } from "../support/worlds/variations";

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const huge = "x".repeat(200_000);

/** What differs from a valid call, where that would change the target for the calls after it. */
const HARMLESS: Partial<Record<RouteName, object>> = {
	chooseTenant: { tenantId: "nobody" },
	deleteTenant: { tenantId: "nobody" },
	suspendTenant: { tenantId: "nobody" },
	eraseTenantAuditEvents: { tenantId: "nobody" },
	deleteTenantOAuthConfig: { providerId: "google" },
	deleteTenantUser: { userId: "nobody" },
	disableTenantUser: { userId: "nobody" },
	impersonateTenantUser: { userId: "nobody" },
	revokeTenantSession: { sessionId: "nothing" },
	revokeTenantInvitation: { invitationId: "nothing" },
	moveTenantUsers: { dryRun: true },
	testTenantWebhook: { webhookId: "nothing" },
	deleteTenantWebhook: { webhookId: "nothing" },
	removeTenantDomain: { domainId: "nothing" },
};

const WRONG_FOR: Record<string, unknown[]> = {
	string: [5, true, null, [], {}, ["text"], { toString: "text" }],
	boolean: ["true", 1, null, [], {}],
	array: ["text", 5, null, {}, true],
	object: ["text", 5, null, [], true],
	number: ["text", null, [], {}],
	integer: ["text", 1.5, null, [], {}],
};

const HOSTILE_TEXTS = [
	"",
	"\u0000",
	"a\u0000b",
	"\ud800",
	"\udc00x",
	huge,
	"' or 1=1 --",
	"%",
	"../../x",
];

const BAD_BODIES = [
	"",
	"{",
	"{'name':'x'}",
	"undefined",
	"null",
	"true",
	"5",
	'"text"',
	"[]",
	"[{}]",
	"{}",
	'{"__proto__":{"tenantId":"x","name":"x","slug":"abc"}}',
	'{"constructor":{"prototype":{"tenantId":"x"}}}',
	deep,
	`{"a":${deep}}`,
];

const BAD_TYPES = ["text/plain", "application/xml", "application/octet-stream", "image/png"];

const BAD_QUERIES = [
	"?tenantId=a&tenantId=b",
	"?tenantId[]=a",
	"?tenantId[$ne]=a",
	"?__proto__=a&__proto__=b",
	"?constructor=a&constructor=b",
	"?%",
	"?tenantId=%00",
	"?tenantId=%ff%fe",
	`?tenantId=${"x".repeat(50_000)}`,
	"?callbackURL=https://evil.example",
];

/** As a query has them. */
const HOSTILE_QUERY_VALUES = [
	...[...HOSTILE_TEXTS, "NaN", "Infinity", "-0", "1e999", "0x10", "[object Object]"]
		.filter((text) => text.length < huge.length)
		.map((text) => new URLSearchParams({ "": text }).toString().slice(1)),
	...["%", "%ff", "%00", "%u0041", "x".repeat(50_000)],
];

/** As JSON. */
const HOSTILE_VALUES = [
	...HOSTILE_TEXTS.map((text) => JSON.stringify(text)),
	deep,
	`{"a":${deep}}`,
];

/** The input of an endpoint, as its schema and its documentation have it. */
interface Input {
	body?: z.ZodPipe<z.ZodType, z.ZodType>;
	metadata: { openapi: { parameters: { name: string }[] } };
}

const inputOf = (name: RouteName) => ENDPOINTS[name].options as unknown as Input;
const withMethod = (method: "GET" | "POST") =>
	routeNames
		.filter((name) => ROUTES[name].method === method)
		.map((name) => [ROUTES[name].path, name] as const);

/** For test names: some inputs are long. */
const titled = (inputs: string[]) =>
	inputs.map((input) => [JSON.stringify(input.slice(0, 50)), input] as const);

function countRows(database: Database.Database): Record<string, number> {
	const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
	return Object.fromEntries(
		(tables as { name: string }[]).map(({ name }) => {
			const { n } = database.prepare(`select count(*) as n from "${name}"`).get() as { n: number };
			return [name, n];
		}),
	);
}

describe("bad input", () => {
	let instance: Instance;
	let target: Target;
	let before: Record<string, number>;
	let hasChanged: () => boolean;

	beforeAll(async () => {
		instance = await makeInstance();
		target = await makeTarget(instance);
		before = countRows(instance.database);
		hasChanged = watchRows(instance);
	});

	afterEach(acceptChanges);

	function acceptChanges() {
		if (hasChanged()) before = countRows(instance.database);
	}

	/** A transaction that was rolled back has written, but left nothing. */
	function expectNoChange(input: string) {
		if (hasChanged()) expect([input, countRows(instance.database)]).toEqual([input, before]);
	}

	async function send(path: string, init: RequestInit) {
		const response = await instance.auth.handler(
			new Request(`${ORIGIN}/api/auth${path}`, {
				...init,
				headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, ...init.headers },
			}),
		);
		return { status: response.status, text: await response.text(), headers: response.headers };
	}

	const sendBody = (path: string, body: string, headers: Record<string, string> = JSON_TYPE) =>
		send(path, { method: "POST", body, headers });

	type Sent = Awaited<ReturnType<typeof send>>;

	function expectRejected({ status, text }: Sent, input: string) {
		expect([input, status]).toSatisfy(([, code]) => code >= 400 && code < 500);
		// Core checks URLs before our endpoints run, and answers without a code.
		const isFromCore = /^\{"message":"Invalid \w+: expected a string"\}$/.test(text);
		if (!isFromCore) expect([input, JSON.parse(text).code]).toEqual([input, expect.any(String)]);
		expectNoChange(input);
	}

	/** For input that may be valid: no server error, and nothing written if it is rejected. */
	function expectNoFailure(sent: Sent, input: string) {
		expect([input, sent.status]).toSatisfy(([, code]) => code < 500);
		if (sent.status >= 400) expectRejected(sent, input);
		acceptChanges();
	}

	it("is sent to every endpoint of the plugin", () => {
		const others = [
			...["tenantOAuthCallback", "openTenantSignInLink", "tenantHandOver"],
			...["enterChosenTenant", "confirmChosenTenant"],
		];
		expect([...routeNames, ...others].sort()).toEqual(Object.keys(ENDPOINTS).sort());
	});

	describe.each(withMethod("POST"))("at POST %s", (path, name) => {
		const schema = inputOf(name).body?.out;
		const turn = routeNames.indexOf(name);
		const fields = Object.entries(schema instanceof z.ZodObject ? schema.shape : {}).map(
			([field, type], index) => [field, type, turn + index] as const,
		);
		const valid = () => ({ ...validCall(name, target).body, ...HARMLESS[name] });

		it.each(titled(someOf(BAD_BODIES, 3, turn)))("rejects the body %s", async (title, body) => {
			expectRejected(await sendBody(path, body), title);
		});

		it("rejects a request without a body", async () => {
			expectRejected(await send(path, { method: "POST" }), "no body");
			expectRejected(await send(path, { method: "POST", headers: JSON_TYPE }), "JSON without body");
		});

		it("rejects a list around what would be valid", async () => {
			expectRejected(await sendBody(path, JSON.stringify([valid()])), "list");
		});

		it.each(someOf(BAD_TYPES, 1, turn))("rejects %s", async (type) => {
			const sent = await sendBody(path, JSON.stringify(valid()), { "content-type": type });
			expect(sent.status).toBe(415);
			expectRejected(sent, type);
		});

		it("rejects multipart forms, whole or broken", async () => {
			const boundary = { "content-type": "multipart/form-data; boundary=b" };
			expectRejected(await sendBody(path, "garbage", boundary), "broken multipart");
			const form = new FormData();
			for (const [name, value] of Object.entries(valid())) form.set(name, String(value));
			expectRejected(await send(path, { method: "POST", body: form }), "multipart");
		});

		it("rejects plain forms unless it is made for them", async () => {
			const isForForms = /sign-(in|up)\/email$/.test(path);
			const form = new URLSearchParams(valid() as Record<string, string>).toString();
			const sent = await sendBody(path, form, FORM_TYPE);
			expect(sent.status).toBe(isForForms ? 200 : 415);
			expectNoFailure(sent, "form");
			expectRejected(await sendBody(path, "%%%=&&&=%ff", FORM_TYPE), "broken form");
		});

		it.each(fields)("rejects a %s of a wrong type", async (name, field, turn) => {
			const shape = z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" });
			const types = (shape.anyOf ?? [shape]).map(({ type }) => String(type));
			const allowed = types.map((type) => WRONG_FOR[type] ?? []);
			const [wrong = [], ...others] = allowed.filter((_, index) => types[index] !== "null");
			const isWrong = (value: unknown) =>
				others.every((values) => values.includes(value)) &&
				!(value === null && types.includes("null"));
			const values = wrong.filter(isWrong);
			expect(values).not.toEqual([]);
			for (const value of notEmpty(someOf(values, 1, turn))) {
				const body = JSON.stringify({ ...valid(), [name]: value });
				expectRejected(await sendBody(path, body), body);
			}
		});

		it.each(fields)("does not fail on a hostile %s", async (name, _, turn) => {
			for (const value of notEmpty(someOf(HOSTILE_VALUES, 2, turn))) {
				const body = JSON.stringify({ ...valid(), [name]: "HOSTILE" });
				const hostile = body.replace('"HOSTILE"', () => value);
				expectNoFailure(await sendBody(path, hostile), `${name}: ${value.slice(0, 50)}`);
			}
		});

		it.each(someOf(["PUT", "PATCH", "DELETE", "GET"], 1, turn))(
			"has no method %s",
			async (method) => {
				const body = method === "GET" ? {} : { body: JSON.stringify(valid()) };
				const { status } = await send(path, { method, headers: JSON_TYPE, ...body });
				expect(status).toBe(404);
				expectNoChange(path);
			},
		);

		it.each(titled(someOf(BAD_QUERIES, 2, turn)))(
			"does not fail on the query %s",
			async (_, query) => {
				expectNoFailure(await sendBody(`${path}${query}`, JSON.stringify(valid())), query);
				const rest = { ...valid(), tenantId: undefined };
				const sent = await sendBody(`${path}${query}`, JSON.stringify(rest));
				if (sent.text.startsWith("{")) expectNoFailure(sent, query);
				expect(sent.status).toBeLessThan(500);
			},
		);
	});

	describe.each(withMethod("GET"))("at GET %s", (path, name) => {
		const fields = inputOf(name).metadata.openapi.parameters.map((parameter) => parameter.name);
		const known = fields.includes("tenantId") ? "tenantId" : fields[0];
		const turn = routeNames.indexOf(name);

		it.each(fields)("rejects a repeated %s", async (name) => {
			expectRejected(await send(`${path}?${name}=1&${name}=2`, {}), name);
		});

		it.each(fields)("does not fail on a hostile %s", async (name) => {
			for (const value of notEmpty(someOf(HOSTILE_QUERY_VALUES, 3, turn + fields.indexOf(name)))) {
				expectNoFailure(await send(`${path}?${name}=${value}`, {}), value.slice(0, 60));
			}
		});

		const badQueries = [
			"__proto__=a&__proto__=b",
			"constructor=a&constructor=b",
			"toString=a",
			`${known}[]=a`,
			`${known}[$ne]=a`,
			`${known}.x=a`,
			"&&&===&",
			"%",
		];
		it.each(someOf(badQueries, 2, turn))("does not fail on the query %s", async (search) => {
			expectNoFailure(await send(`${path}?${search}`, {}), search);
		});

		it.each(someOf(["POST", "PUT", "PATCH", "DELETE"], 1, turn))(
			"has no method %s",
			async (method) => {
				const { status } = await send(path, { method, headers: JSON_TYPE, body: "{}" });
				expect(status).toBe(404);
				expectNoChange(path);
			},
		);
	});

	describe("at the sign-in link", () => {
		it.each([
			"",
			"?token=",
			"?token=unknown",
			"?token=a&token=b",
			"?token[]=a",
			"?token=%00",
			"?token=%ff",
			"?token=x&callbackURL=https://evil.example",
			`?token=${"x".repeat(10_000)}`,
		])("sends the query %s to the error page", async (query) => {
			const sent = await send(`/tenant/sign-in-link${query}`, {});
			expect(sent.status).toBe(302);
			const { origin, pathname, searchParams } = new URL(sent.headers.get("location") ?? "");
			expect([origin, pathname]).toEqual([ORIGIN, "/api/auth/error"]);
			expect(searchParams.get("error")).toBe("SIGN_IN_LINK_INVALID");
			expect(sent.headers.getSetCookie()).toEqual([]);
			expectNoChange(query);
		});

		it.each(["POST", "PUT", "DELETE", "HEAD"])("has no method %s", async (method) => {
			expect((await send("/tenant/sign-in-link?token=x", { method })).status).toBe(404);
		});
	});

	describe("at the callback", () => {
		const callback = "/tenant/callback";
		const providerIds = [
			"github",
			"unknown",
			"__proto__",
			"constructor",
			"%00",
			"%",
			"%E0%A4%A",
			"%ff",
			"a%2Fb",
			"%2e%2e%2f%2e%2e%2ferror",
			"..%2f..%2fsign-out",
			"%252e%252e",
			"github%0d%0aset-cookie:a=b",
			"github%3Fstate=x",
			"github%23x",
			"github;x",
			"https:%2f%2fevil.example",
			"%5c%5cevil.example",
			"x".repeat(10_000),
		];
		const queries = [
			"",
			"?state=a&state=b&code=c",
			"?state[]=a&code=b",
			"?state=%00&code=%00",
			"?state=%ff",
			`?state=${"x".repeat(10_000)}&code=${"x".repeat(10_000)}`,
			"?error=access_denied&error_description=%0d%0aset-cookie:a=b",
			"?error=%00",
			"?errorURL=https://evil.example&callbackURL=https://evil.example",
			"?tenantId=x&code=c",
			"?%",
		];
		const locationOf = ({ headers }: Sent) => new URL(headers.get("location") ?? "", ORIGIN);

		it.each(titled(providerIds))("sends %s to the error page", async (_, providerId) => {
			for (const query of ["", "?state=nothing&code=nothing"]) {
				const sent = await send(`${callback}/${providerId}${query}`, {});
				expect(sent.status).toBe(302);
				const { origin, pathname, searchParams } = locationOf(sent);
				expect([origin, pathname]).toEqual([ORIGIN, "/api/auth/error"]);
				expect(searchParams.get("error")).toMatch(/^state_/);
				expect(sent.headers.getSetCookie().join()).not.toContain("a=b");
			}
			expectNoChange(providerId);
		});

		it.each(titled(providerIds))(
			"turns a form for %s into a GET on itself",
			async (_, providerId) => {
				const sent = await sendBody(`${callback}/${providerId}`, "state=a&code=b", FORM_TYPE);
				expect(sent.status).toBe(302);
				const { origin, pathname } = locationOf(sent);
				expect(origin).toBe(ORIGIN);
				expect(pathname).toMatch(/^\/api\/auth\/tenant\/callback\/[^/]+$/);
			},
		);

		it.each(titled(queries))("sends the query %s to the error page", async (_, query) => {
			const sent = await send(`${callback}/github${query}`, {});
			expect(sent.status).toBe(302);
			const { origin, pathname, searchParams } = locationOf(sent);
			expect([origin, pathname]).toEqual([ORIGIN, "/api/auth/error"]);
			expect(searchParams.get("error")).toBeTruthy();
			expectNoChange(query);
		});

		it("rejects a query that names its own prototype", async () => {
			expectRejected(await send(`${callback}/github?__proto__=a`, {}), "__proto__");
		});

		it.each([
			["{", JSON_TYPE],
			["null", JSON_TYPE],
			["[]", JSON_TYPE],
			['"text"', JSON_TYPE],
			["x", { "content-type": "text/plain" }],
			["garbage", { "content-type": "multipart/form-data; boundary=b" }],
		])("rejects the body %s", async (body, headers) => {
			expectRejected(await sendBody(`${callback}/github`, body, headers), body);
		});

		it.each([
			["{}", JSON_TYPE],
			['{"state":{"a":1},"code":["x"],"error":"\\ud800\\u0000"}', JSON_TYPE],
			[`{"state":${deep}}`, JSON_TYPE],
			["%%%=&&&=%ff", FORM_TYPE],
			["state=a&state=b&__proto__=c", FORM_TYPE],
			["state=%0d%0aset-cookie:a=b", FORM_TYPE],
		])("does not fail on body number %#", async (body, headers) => {
			const sent = await sendBody(`${callback}/github`, body, headers);
			expect(sent.status).toBe(302);
			expect(locationOf(sent).href).toMatch(`${ORIGIN}/api/auth/tenant/callback/github`);
			expectNoChange(body);
		});

		it("has no page without a provider or with more than one", async () => {
			for (const path of [callback, `${callback}/`, `${callback}/a/b`, `${callback}//a`]) {
				expect((await send(path, {})).status).toBe(404);
			}
		});

		it.each(["PUT", "PATCH", "DELETE"])("has no method %s", async (method) => {
			expect((await send(`${callback}/github`, { method })).status).toBe(404);
		});
	});

	describe("at the hand-over", () => {
		it.each([
			"",
			"?code=",
			"?code=a&code=b",
			"?code[]=a",
			"?code=%00",
			"?code=%ff",
			`?code=${"x".repeat(10_000)}`,
			"?code=nothing&callbackURL=https://evil.example&errorURL=https://evil.example",
			"?tenantId=x&code=c",
			"?%",
		])("sends the query %s to the error page", async (query) => {
			const sent = await send(`/tenant/hand-over${query}`, {});
			expect(sent.status).toBe(302);
			const { origin, pathname, searchParams } = new URL(sent.headers.get("location") ?? "");
			expect([origin, pathname]).toEqual([ORIGIN, "/api/auth/error"]);
			expect(searchParams.get("error")).toBe("invalid_hand_over");
			expectNoChange(query);
		});

		it.each(["POST", "PUT", "PATCH", "DELETE"])("has no method %s", async (method) => {
			expect((await send("/tenant/hand-over", { method })).status).toBe(404);
		});
	});
});
