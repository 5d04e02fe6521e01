import { expect, test } from "vitest";
import type * as z from "zod";
import { notEmpty } from "../../../testing/not-empty";
import { asManager, newTenant, runningService } from "./running-service";

/** They may have fields of the app, or need more than this test sends. The plugin has tests of them. */
const OPEN = [
	"/tenant/sign-up/email",
	"/tenant/sign-in/email",
	"/tenant/sign-in/social",
	"/tenant/user/create",
	// Without users, it may be a stream.
	"/tenant/user/import",
];

interface Endpoint {
	path?: string;
	options?: { method?: string | string[]; body?: z.ZodType };
}

test("every endpoint rejects a field that it does not have, and names it", async () => {
	const { backend, post } = await runningService({ SCIM: "true" });
	const tenantId = await newTenant(post);
	const endpoints = Object.values<Endpoint>(backend.auth.api).filter(
		({ path = "", options }) =>
			/^\/(operator|tenant)\//.test(path) && options?.method === "POST" && options.body,
	);
	const paths = endpoints.map(({ path = "" }) => path);
	expect(paths).toContain("/operator/application/create");
	expect(paths).toContain("/tenant/application/update");
	expect(paths).toContain("/tenant/mail-template/set");
	expect(paths).toContain("/tenant/scim/create-token");
	expect(paths).toContain("/tenant/update");
	for (const path of notEmpty(paths.filter((path) => !OPEN.includes(path)))) {
		const response = await post(path, { tenantId, unheardOf: true }, asManager);
		const { message } = (await response.json()) as { message: string };
		// Beside it, fields may be missing, and the endpoints for the service have no tenant.
		expect([path, response.status, message]).toEqual([
			path,
			400,
			expect.stringMatching(/Unrecognized keys?: .*"unheardOf"/),
		]);
	}
});

test("the test of the email settings rejects a field that it does not have", async () => {
	const { call } = await runningService();
	const response = await call("/service/mail-test", {
		method: "POST",
		body: JSON.stringify({ to: "ada@example.com", cc: "bob@example.com" }),
		headers: { ...asManager, "content-type": "application/json" },
	});
	expect([response.status, await response.json()]).toEqual([
		400,
		{ code: "VALIDATION_ERROR", message: '[body] Unrecognized key: "cc"' },
	]);
});
