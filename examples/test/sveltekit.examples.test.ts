import { describe, expect, test } from "vitest";
import { useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { checkPathPerTenant } from "./path-per-tenant";

describe.skipIf(!services.examples || !services.browser)("examples/sveltekit", () => {
	const open = useChromium();

	test("one email is two users at two tenants", async () => {
		const url = await checkPathPerTenant("sveltekit", open);

		const fromElsewhere = await fetch(`${url}/acme?/sign-out`, {
			method: "POST",
			headers: { origin: "https://attacker.example" },
			body: new URLSearchParams(),
		});
		expect(fromElsewhere.status).toBe(403);
	});
});
