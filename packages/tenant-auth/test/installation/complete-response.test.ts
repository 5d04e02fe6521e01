import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Answer, makeInstance } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

describe("an answer of ours", () => {
	const world = useWorld(() => makeTwoUsers());
	const cacheHeaders = ({ headers }: Answer) => [
		headers.get("cache-control"),
		headers.get("vary")?.toLowerCase(),
	];

	it("is stored by no cache, also if it is an error", async () => {
		const { call, manage, signIn, a } = world();
		const answers = [
			await signIn(a),
			await signIn(a, { password: "wrong password" }),
			await signIn("nobody"),
			await manage("/tenant/list"),
			await manage("/tenant/user/list", { tenant: a }),
			await call("/tenant/user/list", { tenant: a }),
			await call("/tenant/login-options", { tenant: a }),
			await call("/tenant/callback/github?code=none"),
			await call("/tenant/no-such-path"),
			await manage("/tenant/create", { body: "{" }),
			await manage("/tenant/create", { body: { name: "" } }),
		];
		for (const answer of notEmpty(answers))
			expect(cacheHeaders(answer)).toEqual(["no-store", "x-tenant-id"]);
		const statuses = new Set(answers.map(({ status }) => status));
		expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 302, 400, 401, 404]));
	});

	it("of core depends on the tenant header too", async () => {
		const { call, ada } = world();
		const answer = await call("/list-sessions", { cookie: ada.cookie });
		expect(answer.headers.get("vary")).toBe("x-tenant-id");
		expect((await call("/get-session")).headers.get("vary")).toBe("x-tenant-id");
	});

	/** Like the answer of `fetch`. Not a real one: other test files may have replaced `Response`. */
	function makeFixed(): Response {
		const response = new Response("proxied", { headers: { "content-type": "text/plain" } });
		const fail = () => {
			throw new TypeError("immutable");
		};
		Object.assign(response.headers, { append: fail, set: fail, delete: fail });
		return response;
	}

	it("names the header of the app, beside what the answer depends on already", async () => {
		const proxied = (): BetterAuthPlugin => ({
			id: "proxied",
			endpoints: {
				proxied: createAuthEndpoint("/proxied", { method: "GET" }, async () => makeFixed()),
				varied: createAuthEndpoint("/varied", { method: "GET" }, async (ctx) => {
					ctx.setHeader("vary", "accept");
					return ctx.json({});
				}),
			},
		});
		const { call } = await makeInstance({
			tenants: { tenantHeader: "x-customer" },
			plugins: [proxied()],
		});
		const answer = await call("/proxied");
		expect([answer.body, answer.headers.get("vary")]).toEqual(["proxied", "x-customer"]);
		expect((await call("/varied")).headers.get("vary")).toBe("accept, x-customer");
	});
});

describe("a body that is no JSON", () => {
	it.each(["{", "{'name':'x'}", "[1,", "undefined", '{"name":"x"'])(
		"is a VALIDATION_ERROR: %s",
		async (body) => {
			const { manage, db } = await makeInstance();
			const answer = await manage("/tenant/create", { body });
			expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
			expect(await db.selectFrom("tenant").selectAll().execute()).toEqual([]);
		},
	);

	it("is core's to answer at core's own paths", async () => {
		const { call } = await makeInstance();
		expect((await call("/sign-in/email", { body: "{" })).status).toBe(400);
	});
});
