import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../../testing/ports";
import { stopClock } from "../../../../testing/stopped-clock";
import { type IdentityProvider, useIdentityProvider } from "../support/providers/identity-provider";
import { listen } from "../support/providers/identity-provider/listen";
import { type RogueProvider, startRogueProvider } from "../support/providers/rogue-provider";
import { type Instance, makeInstance, ORIGIN } from "../support/worlds/instance";

type Steps = Record<string, string>;
interface Step {
	name: string;
	state: string;
	message: string;
}

const callbackOf = (providerId: string) => `${ORIGIN}/api/auth/tenant/callback/${providerId}`;

describe("the test of an OAuth config", () => {
	let app: Instance;
	let tenantId: string;

	beforeAll(async () => {
		app = await makeInstance({ tenants: { allowPrivateProviderHosts: true } });
	});
	beforeEach(async () => {
		tenantId = await app.makeTenant();
	});

	async function register(config: Record<string, unknown>) {
		const { status, body } = await app.manage("/tenant/oauth-config/register", {
			body: { tenantId, clientId: "client", clientSecret: "the secret", ...config },
		});
		expect([status, body.message]).toEqual([200, undefined]);
	}

	async function run(providerId: string) {
		const { status, body } = await app.manage("/tenant/oauth-config/test", {
			body: { tenantId, providerId },
		});
		expect(status).toBe(200);
		const steps: Step[] = body.steps;
		const states: Steps = Object.fromEntries(steps.map(({ name, state }) => [name, state]));
		const messageOf = (name: string) => steps.find((step) => step.name === name)?.message ?? "";
		return { ok: body.ok as boolean, states, messageOf, text: JSON.stringify(body) };
	}

	describe("of an OpenID Connect provider", () => {
		const idp = useIdentityProvider("openid");
		const providerId = "oidc:idp";

		async function addClient(change: Partial<Parameters<IdentityProvider["addClient"]>[0]> = {}) {
			return idp.addClient({
				redirectURIs: [callbackOf(`${providerId}:${tenantId}`)],
				authentication: "client_secret_basic",
				...change,
			});
		}

		const registerAt = async (
			{ clientId, clientSecret }: { clientId: string; clientSecret: string },
			change: Record<string, unknown> = {},
		) => register({ providerId, clientId, clientSecret, options: { issuer: idp.url }, ...change });

		it("passes every step if everything is right", async () => {
			await registerAt(await addClient());
			const { ok, states } = await run(providerId);
			expect(states).toEqual({
				config: "passed",
				discovery: "passed",
				keys: "passed",
				"redirect-uri": "passed",
				client: "passed",
			});
			expect(ok).toBe(true);
		});

		it("passes for a client without a secret", async () => {
			await registerAt(await addClient({ authentication: "none" }), { clientSecret: "" });
			const { ok, states } = await run(providerId);
			expect(states.client).toBe("passed");
			expect(ok).toBe(true);
		});

		it("tells a wrong secret, in the provider's own words and without the secret", async () => {
			const { clientId } = await addClient();
			await registerAt({ clientId, clientSecret: "a wrong secret" });
			const { ok, states, messageOf, text } = await run(providerId);
			expect(states).toMatchObject({ "redirect-uri": "passed", client: "failed" });
			expect(messageOf("client")).toContain("invalid_client: client authentication failed");
			expect(ok).toBe(false);
			expect(text).not.toContain("a wrong secret");
		});

		it("tells a redirect URI that the provider does not know", async () => {
			await registerAt(await addClient({ redirectURIs: ["https://app.example.com/other"] }));
			const { ok, states, messageOf } = await run(providerId);
			expect(states).toMatchObject({ "redirect-uri": "failed", client: "passed" });
			expect(messageOf("redirect-uri")).toContain("invalid_redirect_uri");
			expect(messageOf("redirect-uri")).toContain(callbackOf(`${providerId}:${tenantId}`));
			expect(ok).toBe(false);
		});

		it("tells a client that the provider does not know", async () => {
			await registerAt({ clientId: "nobody", clientSecret: "secret" });
			const { states } = await run(providerId);
			expect(states).toMatchObject({ "redirect-uri": "failed", client: "failed" });
		});

		it("tests a config that is disabled", async () => {
			await registerAt(await addClient(), { enabled: false });
			expect((await run(providerId)).ok).toBe(true);
		});

		it("creates no user and no session, and notes no failure", async () => {
			await registerAt({ clientId: "nobody", clientSecret: "secret" });
			await run(providerId);
			for (const table of ["user", "session", "account", "verification"]) {
				const rows = await app.db
					.selectFrom(table)
					.selectAll()
					.where("tenantId", "=", tenantId)
					.execute();
				expect(rows).toEqual([]);
			}
			const [config] = await app.db
				.selectFrom("tenantOauthConfig")
				.selectAll()
				.where("tenantId", "=", tenantId)
				.execute();
			expect(config?.failure).toBeNull();
		});
	});

	describe("of a provider that says what it wants", () => {
		let rogue: RogueProvider;
		const providerId = "oidc:rogue";

		beforeAll(async () => {
			rogue = await startRogueProvider();
		});
		beforeEach(async () => {
			rogue.discovery = {};
			rogue.answer = () => false;
			await register({ providerId, options: { issuer: rogue.issuer } });
		});
		afterAll(() => rogue?.close());

		const answerAt = (path: string, answer: (response: ServerResponse) => void) => {
			rogue.answer = (asked, response) => {
				if (!asked.startsWith(path)) return false;
				answer(response);
				return true;
			};
		};

		it("stops if the discovery document is gone", async () => {
			answerAt("/.well-known", (response) => response.writeHead(404).end());
			const { ok, states } = await run(providerId);
			expect(states).toEqual({
				config: "passed",
				discovery: "failed",
				keys: "skipped",
				"redirect-uri": "skipped",
				client: "skipped",
			});
			expect(ok).toBe(false);
		});

		it.each<[string, (response: ServerResponse) => void]>([
			["are missing", (response) => response.writeHead(404).end()],
			["are none", (response) => response.writeHead(200).end('{"keys":[]}')],
			["are shared secrets", (response) => response.writeHead(200).end('{"keys":[{"kty":"oct"}]}')],
		])("fails if its keys %s", async (_, answer) => {
			answerAt("/keys", answer);
			expect((await run(providerId)).states.keys).toBe("failed");
		});

		it("does not pass if the provider takes any code", async () => {
			expect((await run(providerId)).states.client).toBe("failed");
		});

		it("does not fail, but is unknown, if a wrong secret gets the same answer", async () => {
			rogue.answer = (path, response) => {
				if (path.startsWith("/authorize")) response.writeHead(200).end("<html>Sign in</html>");
				else if (path.startsWith("/token"))
					response.writeHead(400).end('{"error":"invalid_grant"}');
				else return false;
				return true;
			};
			const { ok, states } = await run(providerId);
			expect(states.client).toBe("unknown");
			expect(ok).toBe(true);
		});

		it.each<[string, (response: ServerResponse) => void]>([
			["shows a page", (response) => response.writeHead(200).end("<html>Sign in</html>")],
			[
				"redirects to a page of its own",
				(response) => response.writeHead(302, { location: "/login" }).end(),
			],
			["is busy", (response) => response.writeHead(429).end()],
			["fails", (response) => response.writeHead(500).end()],
			[
				"sends the user to somebody else",
				(response) =>
					response.writeHead(302, { location: "https://evil.example/?error=login_required" }).end(),
			],
		])("does not pass the redirect URI if the provider %s", async (_, answer) => {
			answerAt("/authorize", answer);
			expect((await run(providerId)).states["redirect-uri"]).toBe("unknown");
		});

		it.each<[string, string, string]>([
			[
				"Google",
				`https://accounts.google.com/signin/oauth/error?authError=${Buffer.from("\n\u0015redirect_uri_mismatch\u0012 text").toString("base64")}`,
				"redirect_uri_mismatch",
			],
			["GitHub", "https://elsewhere.example/?error=redirect_uri_mismatch", "redirect_uri_mismatch"],
			["a fragment", "https://elsewhere.example/#error=unauthorized_client", "unauthorized_client"],
		])("reads an error as %s tells it", async (_, location, code) => {
			answerAt("/authorize", (response) => response.writeHead(302, { location }).end());
			const { states, messageOf } = await run(providerId);
			expect(states["redirect-uri"]).toBe("failed");
			expect(messageOf("redirect-uri")).toContain(code);
		});

		it("reads an error from a page of Entra", async () => {
			const page = "<html>AADSTS50011: The redirect URI <b>x</b> does not match</html>";
			answerAt("/authorize", (response) => response.writeHead(200).end(page));
			const { states, messageOf } = await run(providerId);
			expect(states["redirect-uri"]).toBe("failed");
			expect(messageOf("redirect-uri")).toContain("AADSTS50011");
		});

		it("repeats words of the provider as short plain text, without what it was sent", async () => {
			const said = `the secret <script>alert(1)</script>\u0000\u202e ${"x".repeat(5000)}`;
			const answer = JSON.stringify({ error: "invalid_client", error_description: said });
			answerAt("/token", (response) => response.writeHead(401).end(answer));
			const { messageOf } = await run(providerId);
			const message = messageOf("client");
			expect(message).toContain("… alert(1) xxx");
			expect(message).not.toMatch(/[<>\p{Cc}\p{Cf}]|the secret/u);
			expect(message.length).toBeLessThan(300);
		});

		it("has one message for every provider that cannot be reached", async () => {
			const messages = new Set<string>();
			const ways: ((response: ServerResponse) => void)[] = [
				(response) => response.destroy(),
				(response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
				(response) => response.writeHead(200, { "content-length": 10 ** 9 }).end(),
			];
			for (const way of ways) {
				answerAt("/token", way);
				messages.add((await run(providerId)).messageOf("client"));
			}
			rogue.answer = () => false;
			rogue.discovery = { token_endpoint: `http://127.0.0.1:${await freePort()}/token` };
			messages.add((await run(providerId)).messageOf("client"));
			expect([...messages]).toEqual(["The provider did not respond"]);
		});
	});

	describe("of a built-in provider", () => {
		const gitlab = useIdentityProvider("gitlab");
		const github = useIdentityProvider("github");
		const google = useIdentityProvider("google");

		it("skips what is built in, and passes the rest", async () => {
			const { clientId, clientSecret } = await gitlab.addClient({
				redirectURIs: [callbackOf("gitlab")],
			});
			const options = { issuer: gitlab.url };
			await register({ providerId: "gitlab", clientId, clientSecret, options });
			const { ok, states } = await run("gitlab");
			expect(states).toMatchObject({
				discovery: "skipped",
				keys: "skipped",
				"redirect-uri": "passed",
				client: "passed",
			});
			expect(ok).toBe(true);
		});

		it("tells a wrong secret of Google", async () => {
			const { clientId } = await google.addClient({ redirectURIs: [callbackOf("google")] });
			await register({ providerId: "google", clientId, clientSecret: "wrong" });
			expect((await run("google")).states).toMatchObject({
				"redirect-uri": "passed",
				client: "failed",
			});
		});

		it("tells a wrong secret of GitHub, which answers errors with status 200", async () => {
			const { clientId } = await github.addClient({ redirectURIs: [callbackOf("github")] });
			await register({ providerId: "github", clientId, clientSecret: "wrong" });
			expect((await run("github")).states.client).toBe("failed");
		});

		it("is not green for a host that does not exist", async () => {
			const options = { issuer: "https://gitlab.tenant.example" };
			await register({ providerId: "gitlab", options });
			const { ok, states } = await run("gitlab");
			expect(ok).toBe(false);
			expect(states).toMatchObject({ "redirect-uri": "failed", client: "failed" });
		});
	});

	it("fails at once for credentials that cannot be decrypted", async () => {
		await register({ providerId: "github" });
		await app.db
			.updateTable("tenantOauthConfig")
			.set({ clientSecret: "broken" })
			.where("tenantId", "=", tenantId)
			.execute();
		const { ok, states } = await run("github");
		expect(states).toMatchObject({ config: "failed", client: "skipped" });
		expect(ok).toBe(false);
	});

	it("does not ask a private address", async () => {
		const strict = await makeInstance({ on: { db: app.db, type: "sqlite" } });
		const asked: string[] = [];
		const inside = await listen((request, response) => {
			asked.push(String(request.url));
			response.end();
		});
		try {
			const options = { issuer: `http://127.0.0.1:${inside.port}` };
			await register({ providerId: "gitlab", options });
			const { body } = await strict.manage("/tenant/oauth-config/test", {
				body: { tenantId, providerId: "gitlab" },
			});
			expect(body.steps[0]).toMatchObject({ name: "config", state: "failed" });
			expect(asked).toEqual([]);
		} finally {
			await inside.close();
		}
	});

	it("is limited to ten in a minute for each tenant", async () => {
		stopClock();
		await register({ providerId: "gitlab", options: { issuer: "http://127.0.0.1:1" } });
		for (let n = 0; n < 10; n += 1) await run("gitlab");
		const { status, body } = await app.manage("/tenant/oauth-config/test", {
			body: { tenantId, providerId: "gitlab" },
		});
		expect([status, body.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
	});
});
