import type { RequestListener } from "node:http";
import { toNodeHandler } from "better-auth/node";
import { tenantHosts } from "better-auth-tenant";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../../../packages/tenant-auth/test/support/providers/identity-provider";
import {
	type Listening,
	listen,
} from "../../../packages/tenant-auth/test/support/providers/identity-provider/listen";
import {
	type Instance,
	makeInstance,
} from "../../../packages/tenant-auth/test/support/worlds/instance";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { passProvider } from "./provider-login";

/** The sign-in page of an app. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>App</title>
<link rel="icon" href="data:,"><button>Sign in</button><script>
document.querySelector("button").onclick = async () => {
	const response = await fetch("/api/auth/tenant/sign-in/social", {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ provider: "gitlab", callbackURL: "/", errorCallbackURL: "/failed" }),
	});
	const { url, code } = await response.json();
	if (url) location.href = url;
	else document.title = code;
};
</script>`;

describe.skipIf(!services.browser)("a social sign-in at a custom domain", () => {
	const open = useChromium(["*.example"]);
	let server: Listening;
	let provider: IdentityProvider;
	let platform: string;
	let custom: string;
	let listener: RequestListener;
	let app: Instance;
	let tenantId: string;

	beforeAll(async () => {
		server = await listen((request, response) => {
			if (request.url?.startsWith("/api/auth/")) return listener(request, response);
			response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
		});
		provider = await startIdentityProvider("gitlab");
		platform = `http://app.example:${server.port}`;
		custom = `http://login.acme.example:${server.port}`;
	});
	afterAll(async () => {
		await provider?.close();
		await server?.close();
	});

	const addClient = async () => {
		const redirectURIs = [`${platform}/api/auth/tenant/callback/gitlab`];
		const { clientId, clientSecret } = await provider.addClient({ redirectURIs });
		return { clientId, clientSecret };
	};
	const issuer = () => provider.url;

	beforeEach(async () => {
		const domain = new URL(platform).host;
		app = await makeInstance({
			tenants: {
				hosts: tenantHosts({ domain, protocol: "http", customDomains: true }),
				allowPrivateProviderHosts: true,
			},
			socialProviders: { gitlab: { ...(await addClient()), issuer: issuer() } },
		});
		listener = toNodeHandler(app.auth);
		const { id } = await app.auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		tenantId = id;
		await app.addDomain(tenantId, new URL(custom).hostname);
	});

	const registerOwnClient = async () =>
		app.auth.api.registerTenantOAuthConfig({
			body: {
				tenantId,
				providerId: "gitlab",
				...(await addClient()),
				options: { issuer: issuer() },
			},
		});
	const openAt = async (origin: string) => {
		const { page, problems } = await open(origin, [platform, custom, provider.url]);
		await page.goto("/");
		return { page, problems };
	};
	const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in" });
	const readSession = (page: Page) =>
		page.evaluate<{ session: { tenantId: string } } | null>(
			`fetch("/api/auth/get-session").then((response) => response.json())`,
		);
	const atProvider = (page: Page) => page.locator("[name=login]").waitFor();

	test("ends at the domain with a session, and leaves no cookie at the platform", async () => {
		await registerOwnClient();
		const { page, problems } = await openAt(custom);
		const visited: string[] = [];
		page.on("framenavigated", (frame) => visited.push(frame.url()));
		await signInButton(page).click();
		await atProvider(page);
		await passProvider(page, provider.addPerson({ email: "ada@example.com" }));
		await page.waitForURL(`${custom}/`);
		expect((await readSession(page))?.session.tenantId).toBe(tenantId);
		const cookies = await page.context().cookies();
		expect(cookies.map(({ domain }) => domain)).toContain("login.acme.example");
		expect(cookies.filter(({ domain }) => domain.endsWith("app.example"))).toEqual([]);
		const token = cookies.find(({ name }) => name.endsWith("session_token"))?.value ?? "";
		expect(token).not.toBe("");
		expect(visited.join(" ")).not.toContain(token.split(".")[0]);
		expect(problems).toEqual([]);
	});

	test("does not finish in the browser of somebody who was sent into it", async () => {
		await registerOwnClient();
		const attacker = await openAt(custom);
		const started = attacker.page.waitForRequest((it) => it.url().startsWith(provider.url));
		await signInButton(attacker.page).click();
		const victim = await openAt(custom);
		await victim.page.goto((await started).url());
		await atProvider(victim.page);
		await passProvider(victim.page, provider.addPerson({ email: "grace@example.com" }));
		await victim.page.waitForURL(/error=invalid_hand_over/);
		await atProvider(attacker.page);
		await attacker.page.goto(custom);
		for (const { page } of [victim, attacker]) expect(await readSession(page)).toBeNull();
	});

	test("does not start with the app's own client", async () => {
		const { page } = await openAt(custom);
		await signInButton(page).click();
		await expect.poll(() => page.title()).toBe("PROVIDER_NOT_FOUND");
	});
});
