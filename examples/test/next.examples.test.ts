import { describe, expect, test } from "vitest";
import { useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { checkHostPerTenant } from "./host-per-tenant";

describe.skipIf(!services.examples || !services.browser)("examples/next", () => {
	const open = useChromium();

	test("one email is two users at two hosts", async () => {
		const { url } = await checkHostPerTenant("next", open);
		expect((await fetch(url)).status).toBe(200);
	});
});
