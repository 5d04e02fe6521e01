import { describe, expect, test } from "vitest";
import { useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { checkPathPerTenant } from "./path-per-tenant";
import { findTypeErrors } from "./running-example";

describe.skipIf(!services.examples || !services.browser)("examples/tanstack-start", () => {
	const open = useChromium();

	test("one email is two users at two tenants", async () => {
		await checkPathPerTenant("tanstack-start", open);
		expect(findTypeErrors("tanstack-start")).toBe("");
	});
});
