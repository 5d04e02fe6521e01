import { describe, expect, test } from "vitest";
import { useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { sendForm } from "./foreign-forms";
import { guessPassword } from "./guesses";
import { checkHostPerTenant } from "./host-per-tenant";

describe.skipIf(!services.examples || !services.browser)("examples/sveltekit", () => {
	const open = useChromium();

	test("one email is two users at two hosts", async () => {
		const { url, port } = await checkHostPerTenant("sveltekit", open);
		const acme = `acme.localhost:${port}`;
		expect(await sendForm(url, "/?/sign-out", acme, `http://globex.localhost:${port}`)).toBe(403);
		expect(await sendForm(url, "/?/sign-out", acme, "https://attacker.example")).toBe(403);

		expect(await guessPassword(url)).toBe(429);
	});
});
