import { captcha } from "better-auth/plugins";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Listening, listen } from "../support/providers/identity-provider/listen";
import { CREDENTIALS, EMAIL, PASSWORD } from "../support/worlds/instance";
import { makeTwoTenants, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

let service: Listening;
const seen: string[] = [];

beforeAll(async () => {
	// Like a real service, it accepts a solution once.
	service = await listen((request, response) => {
		let body = "";
		request.on("data", (chunk) => {
			body += chunk;
		});
		request.on("end", () => {
			const solution = new URLSearchParams(body).get("response") ?? "";
			const success = solution.startsWith("solved") && !seen.includes(solution);
			seen.push(solution);
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify({ success }));
		});
	});
});
afterAll(() => service.close());
beforeEach(() => {
	seen.length = 0;
});

async function setUp(order: () => object, endpoints?: string[]) {
	const app = await makeTwoTenants({
		...order(),
		plugins: [
			captcha({
				provider: "hcaptcha",
				secretKey: "a secret",
				siteVerifyURLOverride: `http://127.0.0.1:${service.port}/`,
				...(endpoints ? { endpoints } : {}),
			}),
		],
	});
	const send = (path: string, solution?: string) =>
		app.call(path, {
			...(path.startsWith("/tenant") ? {} : { tenant: app.a }),
			headers: solution ? { "x-captcha-response": solution } : {},
			body: {
				name: "User",
				email: EMAIL,
				password: PASSWORD,
				...(path.startsWith("/tenant") ? { tenantId: app.a } : {}),
				...(path.endsWith("social") ? { provider: "google" } : {}),
			},
		});
	return { ...app, send };
}

describe.each(orders)("a captcha plugin %s", (_, order) => {
	const world = useWorld(() => setUp(order));

	it("requires a solution at sign-up and sign-in, also at the paths of this plugin", async () => {
		const { send, db } = world();
		for (const path of ["/sign-up/email", "/sign-in/email"]) {
			for (const at of [path, `/tenant${path}`]) {
				const missing = await send(at);
				expect([at, missing.status, missing.body.code]).toEqual([at, 400, "MISSING_RESPONSE"]);
				const wrong = await send(at, "guessed");
				expect([at, wrong.status, wrong.body.code]).toEqual([at, 403, "VERIFICATION_FAILED"]);
			}
		}
		expect(await db.selectFrom("user").selectAll().execute()).toEqual([]);
	});

	it("accepts each solution once", async () => {
		const { send } = world();
		expect((await send("/tenant/sign-up/email", "solved 1")).status).toBe(200);
		expect((await send("/tenant/sign-in/email", "solved 1")).status).toBe(403);
		expect((await send("/tenant/sign-in/email", "solved 2")).status).toBe(200);
		expect(seen).toEqual(["solved 1", "solved 1", "solved 2"]);
	});

	it.each([
		["the path of core", ["/sign-in/email"]],
		["the path of this plugin", ["/tenant/sign-in/email"]],
		["both", ["/sign-in/email", "/tenant/sign-in/email"]],
		["a pattern", ["/sign-in/*"]],
		["a wide pattern", ["/**/email"]],
	])("asks for one solution at a tenant sign-in if the app protects %s", async (_, endpoints) => {
		const { send, auth, a } = await setUp(order, endpoints);
		await auth.api.signUpEmailTenant({
			body: { tenantId: a, name: "User", ...CREDENTIALS },
		});
		expect((await send("/tenant/sign-in/email")).body.code).toBe("MISSING_RESPONSE");
		expect((await send("/tenant/sign-in/email", "solved")).status).toBe(200);
		expect(seen).toEqual(["solved"]);
	});

	it("protects the social sign-in of a tenant if it protects that of core", async () => {
		const { send } = await setUp(order, ["/sign-in/social"]);
		expect((await send("/tenant/sign-in/social")).body.code).toBe("MISSING_RESPONSE");
		expect((await send("/tenant/sign-in/email")).body.code).toBe("INVALID_EMAIL_OR_PASSWORD");
	});

	it("does not change the options of the app", async () => {
		const endpoints = ["/sign-in/email"];
		await setUp(order, endpoints);
		expect(endpoints).toEqual(["/sign-in/email"]);
	});
});
