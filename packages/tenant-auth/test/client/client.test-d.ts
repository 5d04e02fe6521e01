import { createAuthClient } from "better-auth/client";
import { inferAdditionalFields } from "better-auth/client/plugins";
import { createAuthClient as createReactClient } from "better-auth/react";
import type {
	AuditEvent,
	CurrentTenant,
	EffectiveProvider,
	Tenant,
	TenantOAuthConfig,
	TenantSession,
} from "better-auth-tenant";
import { tenantAuthClient, tenantLinksClient } from "better-auth-tenant/client";
import type { LinkedUser } from "better-auth-tenant/links";
import { describe, expectTypeOf, it } from "vitest";
import type { ROUTES } from "../../src/routes";

const client = createAuthClient({ plugins: [tenantAuthClient()] });

type Call = (...input: never[]) => unknown;
type Camel<Text extends string> = Text extends `${infer Word}-${infer Rest}`
	? `${Word}${Capitalize<Camel<Rest>>}`
	: Text;
/** The paths of all calls in the client, such as `signIn/email`. */
type CallPaths<Node> = {
	[Name in keyof Node & string]: Node[Name] extends Call
		? Name
		: `${Name}/${CallPaths<Node[Name]>}`;
}[keyof Node & string];
type RoutePath = (typeof ROUTES)[keyof typeof ROUTES]["path"];
type AsCall<Path> = Path extends `/tenant/${infer Group}/${infer Name}`
	? `${Camel<Group>}/${Camel<Name>}`
	: Path extends `/tenant/${infer Name}`
		? Camel<Name>
		: never;

describe("the typed client", () => {
	it("has a call for every route, and no other", () => {
		expectTypeOf<CallPaths<typeof client.tenant>>().toEqualTypeOf<AsCall<RoutePath>>();
	});

	// The functions below are never run: only their types count.

	it("has the metadata of the app", () => {
		type Metadata = { plan: "free" | "pro" };
		const typed = createAuthClient({ plugins: [tenantAuthClient<Metadata>()] });
		return async () => {
			const found = await typed.tenant.get({ query: { slug: "acme" } });
			expectTypeOf(found.data?.metadata).toEqualTypeOf<Metadata | null | undefined>();
		};
	});

	it("answers with tenants", () => {
		return async () => {
			const created = await client.tenant.create({ name: "Acme", slug: "acme" });
			expectTypeOf(created.data).toEqualTypeOf<Tenant | null>();
			const found = await client.tenant.get({ query: { slug: "acme" } });
			expectTypeOf(found.data).toEqualTypeOf<Tenant | null>();
			const listed = await client.tenant.list({ query: { limit: 10, offset: "20", search: "a" } });
			expectTypeOf(listed.data).toExtend<Tenant[] | null>();
			expectTypeOf(listed.data?.total).toEqualTypeOf<number | undefined>();
			const updated = await client.tenant.update({ tenantId: "id", metadata: { plan: "free" } });
			expectTypeOf(updated.data).toEqualTypeOf<Tenant | null>();
			const deleted = await client.tenant.delete({ tenantId: "id" });
			expectTypeOf(deleted.data).toEqualTypeOf<{ success: true } | null>();
		};
	});

	it("answers with OAuth configs that have no secret", () => {
		expectTypeOf<
			"clientSecret" extends keyof TenantOAuthConfig ? true : false
		>().toEqualTypeOf<false>();
		return async () => {
			const { oauthConfig } = client.tenant;
			const registered = await oauthConfig.register({
				providerId: "gitlab",
				clientId: "id",
				clientSecret: "secret",
				scopes: ["openid"],
				options: { issuer: "https://gitlab.example.com" },
			});
			expectTypeOf(registered.data).toEqualTypeOf<TenantOAuthConfig | null>();
			expectTypeOf((await oauthConfig.list()).data).toEqualTypeOf<TenantOAuthConfig[] | null>();
			const deleted = await oauthConfig.delete({ providerId: "gitlab" });
			expectTypeOf(deleted.data).toEqualTypeOf<{ success: true } | null>();
		};
	});

	it("changes any field of an OAuth config that was listed", () => {
		return async () => {
			const [config] = (await client.tenant.oauthConfig.list()).data ?? [];
			if (!config) return;
			const { providerId } = config;
			const { update } = client.tenant.oauthConfig;
			const changed = await update({ providerId, scopes: [], redirectURI: null, options: null });
			expectTypeOf(changed.data).toEqualTypeOf<TenantOAuthConfig | null>();
		};
	});

	it("has the tenant of the signed-in user, and a hook for it in React", () => {
		const react = createReactClient({ plugins: [tenantAuthClient()] });
		type State = ReturnType<typeof react.useTenant>;
		expectTypeOf<State["data"]>().toEqualTypeOf<CurrentTenant | null>();
		expectTypeOf<State["isPending"]>().toEqualTypeOf<boolean>();
		return async () => {
			expectTypeOf((await client.tenant.current()).data).toEqualTypeOf<CurrentTenant | null>();
		};
	});

	it("answers with what a tenant's users do, and with what was done to it", () => {
		expectTypeOf<"token" extends keyof TenantSession ? true : false>().toEqualTypeOf<false>();
		return async () => {
			const { user, session, audit, oauthConfig, suspend } = client.tenant;
			expectTypeOf((await suspend({ tenantId: "id" })).data).toEqualTypeOf<Tenant | null>();
			const found = await user.get({ query: { userId: "id" } });
			expectTypeOf(found.data?.user.email).toEqualTypeOf<string | undefined>();
			expectTypeOf(found.data?.sessions).toEqualTypeOf<TenantSession[] | undefined>();
			expectTypeOf((await session.list()).data).toExtend<TenantSession[] | null>();
			expectTypeOf((await user.list()).data?.total).toEqualTypeOf<number | undefined>();
			const events = await audit.list({ query: { action: "tenant:suspend", limit: 10 } });
			expectTypeOf(events.data).toExtend<AuditEvent[] | null>();
			expectTypeOf((await oauthConfig.effective()).data).toEqualTypeOf<
				EffectiveProvider[] | null
			>();
		};
	});

	it("answers a sign-up and a sign-in with the user, and the session or null", () => {
		return async () => {
			const up = await client.tenant.signUp.email({ name: "Ada", email: "", password: "" });
			const inside = await client.tenant.signIn.email({ email: "", password: "" });
			for (const { data, error } of [up, inside]) {
				if (error) {
					expectTypeOf(error.code).toEqualTypeOf<string | undefined>();
					continue;
				}
				if ("twoFactorRedirect" in data && data.twoFactorRedirect) continue;
				expectTypeOf(data.token).toEqualTypeOf<string | null>();
				expectTypeOf(data.user.email).toEqualTypeOf<string>();
				expectTypeOf(data.user.tenantId).toExtend<string | null | undefined>();
				expectTypeOf(data.session).extract<null>().toEqualTypeOf<null>();
				expectTypeOf(data.session?.expiresAt).toEqualTypeOf<Date | undefined>();
			}
		};
	});

	it("answers a sign-in with the second factor if one is missing, and then without a session", () => {
		return async () => {
			const { data } = await client.tenant.signIn.email({ email: "", password: "" });
			expectTypeOf(data?.user?.email).toEqualTypeOf<string | undefined>();
			if (data?.twoFactorRedirect) {
				expectTypeOf(data.twoFactorMethods).toEqualTypeOf<string[]>();
				expectTypeOf(data.user).toEqualTypeOf<undefined>();
				expectTypeOf(data.session).toEqualTypeOf<undefined>();
			} else if (data) {
				expectTypeOf(data.user.email).toEqualTypeOf<string>();
				expectTypeOf(data.token).toEqualTypeOf<string | null>();
			}
		};
	});

	it("answers a sign-up and a sign-in with the app's additional fields", () => {
		const company = { type: "string", required: true } as const;
		const typed = createAuthClient({
			plugins: [inferAdditionalFields({ user: { company } }), tenantAuthClient()],
		});
		return async () => {
			const up = await typed.tenant.signUp.email({ name: "Ada", email: "", password: "" });
			expectTypeOf(up.data?.user.company).toEqualTypeOf<string | undefined>();
			const inside = await typed.tenant.signIn.email({ email: "", password: "" });
			expectTypeOf(inside.data?.user?.company).toEqualTypeOf<string | undefined>();
		};
	});

	it("answers a social sign-in with a URL, or with the session for an ID token", () => {
		return async () => {
			const { data } = await client.tenant.signIn.social({ provider: "google" });
			expectTypeOf(data?.redirect).toEqualTypeOf<boolean | undefined>();
			expectTypeOf(data?.url).toEqualTypeOf<string | undefined>();
			if (data && "user" in data) expectTypeOf(data.user.id).toEqualTypeOf<string>();
		};
	});

	it("lets the tenant be left out wherever it can be named otherwise", () => {
		type Input<Call extends (...input: never[]) => unknown> = NonNullable<Parameters<Call>[0]>;
		type Optional = string | undefined;
		expectTypeOf<Input<typeof client.tenant.signUp.email>>()
			.toHaveProperty("tenantId")
			.toEqualTypeOf<Optional>();
		expectTypeOf<Input<typeof client.tenant.signIn.email>>()
			.toHaveProperty("tenantId")
			.toEqualTypeOf<Optional>();
		expectTypeOf<Input<typeof client.tenant.signIn.social>>()
			.toHaveProperty("tenantId")
			.toEqualTypeOf<Optional>();
		expectTypeOf<Input<typeof client.tenant.oauthConfig.register>>()
			.toHaveProperty("tenantId")
			.toEqualTypeOf<Optional>();
		expectTypeOf<Input<typeof client.tenant.oauthConfig.delete>>()
			.toHaveProperty("tenantId")
			.toEqualTypeOf<Optional>();
	});

	it("refuses wrong input", () => {
		const email = "ada@example.com";
		return () => {
			// @ts-expect-error a slug is missing
			client.tenant.create({ name: "Acme" });
			// @ts-expect-error metadata is an object
			client.tenant.create({ name: "Acme", slug: "acme", metadata: "text" });
			// Without them, a role means its own tenant.
			client.tenant.get();
			// @ts-expect-error an id is a text
			client.tenant.get({ query: { id: 1 } });
			// @ts-expect-error only one of them
			client.tenant.get({ query: { id: "id", slug: "acme" } });
			// @ts-expect-error one of them
			client.tenant.loginOptions({ query: { tenantId: "id", slug: "acme" } });
			// @ts-expect-error a limit is a number
			client.tenant.list({ query: { limit: {} } });
			client.tenant.update({ name: "Acme" });
			// @ts-expect-error the tenant is missing
			client.tenant.delete({});
			// @ts-expect-error a password is missing
			client.tenant.signUp.email({ name: "Ada", email });
			// @ts-expect-error an email is a text
			client.tenant.signUp.email({ name: "Ada", email: 1, password: "correct horse battery" });
			// @ts-expect-error rememberMe is a boolean
			client.tenant.signIn.email({ email, password: "correct horse battery", rememberMe: "yes" });
			// @ts-expect-error a provider is missing
			client.tenant.signIn.social({ callbackURL: "/" });
			// @ts-expect-error a secret is missing
			client.tenant.oauthConfig.register({ providerId: "google", clientId: "id" });
			// @ts-expect-error Better Auth has no such provider
			client.tenant.oauthConfig.register({ providerId: "okta", clientId: "", clientSecret: "" });
			// @ts-expect-error a provider is missing
			client.tenant.oauthConfig.delete({ tenantId: "id" });
			// @ts-expect-error a tenant is a text
			tenantAuthClient({ tenant: 1 });
		};
	});

	it("takes the tenant as a value, a function and an async function", () => {
		expectTypeOf(tenantAuthClient).toBeCallableWith({ tenant: "id" });
		expectTypeOf(tenantAuthClient).toBeCallableWith({ tenant: undefined });
		expectTypeOf(tenantAuthClient).toBeCallableWith({ tenant: () => null });
		expectTypeOf(tenantAuthClient).toBeCallableWith({ tenant: async () => "id" });
	});

	it("knows the tenant of a session, which the platform's have not", () => {
		type Session = typeof client.$Infer.Session;
		expectTypeOf<Session["session"]["tenantId"]>().toEqualTypeOf<string | null | undefined>();
		expectTypeOf<Session["user"]["tenantId"]>().toEqualTypeOf<string | null | undefined>();
		expectTypeOf<Session["user"]["email"]>().toEqualTypeOf<string>();
	});

	it("knows the error codes", () => {
		expectTypeOf(client.$ERROR_CODES.TENANT_NOT_FOUND.code).toEqualTypeOf<"TENANT_NOT_FOUND">();
		expectTypeOf(client.$ERROR_CODES).toHaveProperty("OAUTH_CREDENTIAL_DECRYPT_FAILED");
		expectTypeOf(client.$ERROR_CODES).toHaveProperty("INVALID_EMAIL_OR_PASSWORD");
	});

	it("does not let a client set the tenant through core's calls", () => {
		const user = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
		return () => {
			// @ts-expect-error the server alone writes it
			client.signUp.email({ ...user, tenantId: "id" });
			// @ts-expect-error the server alone writes it
			client.updateUser({ tenantId: "id" });
		};
	});

	it("knows the calls of linked users", () => {
		const linked = createAuthClient({ plugins: [tenantAuthClient(), tenantLinksClient()] });
		expectTypeOf(linked.tenant.link.end).toBeFunction();
		expectTypeOf(linked.$ERROR_CODES.LINK_NOT_FOUND.code).toEqualTypeOf<"LINK_NOT_FOUND">();
		return async () => {
			const listed = await linked.tenant.link.list();
			expectTypeOf(listed.data?.users).toEqualTypeOf<LinkedUser[] | undefined>();
			const started = await linked.tenant.link.start();
			expectTypeOf(started.data?.linkCode).toEqualTypeOf<string | undefined>();
			linked.tenant.link.switch({ tenantId: "id" });
			linked.tenant.linkSettings.update({ tenantId: "id", allowed: true });
			// @ts-expect-error the code is missing
			linked.tenant.link.finish({});
			// @ts-expect-error allowed is a boolean
			linked.tenant.linkSettings.update({ allowed: "yes" });
		};
	});

	it("goes together with other client plugins", () => {
		const both = createAuthClient({
			plugins: [
				inferAdditionalFields({ user: { company: { type: "string", required: false } } }),
				tenantAuthClient(),
			],
		});
		expectTypeOf<(typeof both.$Infer.Session)["user"]["company"]>().toExtend<
			string | null | undefined
		>();
		expectTypeOf(both.tenant.signUp.email).toBeFunction();
	});
});
