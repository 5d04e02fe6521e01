import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../apps/server/test/temporary-directory";
import { services } from "../../testing/services";
import { startExample } from "./running-example";

describe.skipIf(!services.examples)("examples/workers", () => {
	test("one email is two users at two tenants", async () => {
		const { url } = await startExample("workers", { DATA_DIR: temporaryDirectory() });
		const send = (path: string, body?: object, headers: Record<string, string> = {}) =>
			fetch(`${url}${path}`, {
				// workerd closes an idle connection at any time, maybe just when it is used again.
				headers: {
					connection: "close",
					"content-type": "application/json",
					origin: url,
					...headers,
				},
				...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
			});
		const idOf = async (slug: string) => {
			const response = await send(`/api/auth/tenant/login-options?slug=${slug}`);
			return ((await response.json()) as { tenant: { id: string } }).tenant.id;
		};
		const [acme, globex] = [await idOf("acme"), await idOf("globex")];
		const user = (tenant: string) => ({
			name: `Ada of ${tenant}`,
			email: "ada@example.com",
			password: `the password at ${tenant}`,
		});
		const cookieOf = (response: Response) =>
			response.headers
				.getSetCookie()
				.map((cookie) => cookie.split(";")[0])
				.join("; ");
		for (const [tenantId, name] of [
			[acme, "Acme"],
			[globex, "Globex"],
		] as const) {
			const header = { "x-tenant-id": tenantId };
			const signedUp = await send("/api/auth/tenant/sign-up/email", user(name), header);
			expect(signedUp.status).toBe(200);
			const signedIn = await send("/api/auth/tenant/sign-in/email", user(name), header);
			const cookie = cookieOf(signedIn);
			const home = await send("/", undefined, { cookie });
			expect(await home.json()).toEqual({ hello: `Ada of ${name}`, tenantId });
			const other = { "x-tenant-id": tenantId === acme ? globex : acme };
			expect((await send("/", undefined, { cookie, ...other })).status).toBe(401);
		}
		const header = { "x-tenant-id": acme };
		const wrong = await send("/api/auth/tenant/sign-in/email", user("Globex"), header);
		expect(wrong.status).toBe(401);
		expect((await send("/migrate", {})).status).toBe(401);

		// Rate limits are on. They count the address that Cloudflare sets.
		const statuses: number[] = [];
		for (let tries = 0; tries < 4; tries += 1) {
			const address = {
				"cf-connecting-ip": "192.0.2.1",
				"x-forwarded-for": `192.0.2.${10 + tries}`,
			};
			const headers = { ...header, ...address };
			const answer = await send("/api/auth/tenant/sign-in/email", user("Globex"), headers);
			statuses.push(answer.status);
		}
		expect(statuses).toEqual([401, 401, 401, 429]);
	});
});
