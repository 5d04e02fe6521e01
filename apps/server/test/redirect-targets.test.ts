import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { TEST_ALL } from "../../../testing/services";
import { inviteOperator } from "./operator-accounts";
import { asManager, cookiesOf, newSlug, newTenant, newUser, useService } from "./running-service";

const own = "https://acme.example.com";
const service = "https://auth.example.com";
const foreign = [
	"https://globex.example.com/x",
	"https://a.acme.example.com/x",
	"https://a.b.example.com/x",
	"https://blog.example.com/x",
	"https://acme.example.com:9/x",
	"https://acme.example.com@blog.example.com/x",
	"https://BLOG.example.com/x",
	"http://acme.example.com/x",
	"https://evil.example/x",
	"//blog.example.com/x",
	// Better Auth adds a query to these, and makes "//blog.example.com/x" of them.
	"/.//blog.example.com/x",
	"/%2e//blog.example.com/x",
	"/x/..//blog.example.com/x",
];

/** The tenants acme and globex on their hosts, with the checks that Better Auth skips in tests. */
function useTenants(environment: Record<string, string> = {}) {
	const running = useService(
		{ BETTER_AUTH_URL: service, TENANT_DOMAIN: "example.com", ...environment },
		{ keepsEmails: true },
	);
	let acme: Promise<string> | undefined;
	const createTenants = async () => {
		const { backend, post } = await running();
		Object.assign(await backend.auth.$context, { skipOriginCheck: false, skipCSRFCheck: false });
		const id = await newTenant(post, "acme");
		await newTenant(post, "globex");
		const config = { providerId: "google", clientId: "client", clientSecret: "secret" };
		const headers = { ...asManager, "x-tenant-id": id };
		await post("/tenant/oauth-config/register", config, headers);
		return id;
	};
	/** With a new user of acme, who is signed in. */
	return async () => {
		acme ??= createTenants();
		const named = { "x-tenant-id": await acme };
		const { call, post, backend } = await running();
		const user = newUser(`${newSlug("ada")}@example.com`);
		const signedUp = await post(`${own}/api/auth/tenant/sign-up/email`, user);
		const { user: ada } = (await signedUp.json()) as { user: { id: string } };
		const signedIn = { cookie: cookiesOf(signedUp), origin: own };
		return { call, post, backend, user, userId: ada.id, named, signedIn };
	};
}

const withTenants = useTenants();

type Running = Awaited<ReturnType<typeof withTenants>>;

/** The link of the newest email, or what the button of its page opens. */
const newestLink = async ({ backend }: Running) => {
	const [newest] = (await backend.mailer.outbox?.list()) ?? [];
	const link = new URL(
		/https:\S+(\/api\/auth\/|\?link=)\S+/.exec(newest?.text ?? "")?.[0] ?? "none:",
	);
	const behindButton = link.searchParams.get("link");
	return behindButton ? `${link.origin}/api/auth/verify-email?${behindButton}` : link.href;
};

/** Follows redirects within the service to the last URL. */
async function follow({ call }: Pick<Running, "call">, url: string): Promise<URL> {
	const response = await call(url);
	const location = response.headers.get("location");
	return location ? follow({ call }, location) : new URL(url);
}

const answerOf = async (response: Response) => [
	response.status,
	((await response.json()) as { code?: string }).code,
];

describe("the host of a tenant redirects to no other host below the domain", () => {
	const withTenants = useTenants();
	/** Every third of them, and all of them at one of three endpoints. */
	const foreignFor = (index: number) => foreign.filter((_, n) => TEST_ALL || n % 3 === index % 3);

	const endpoints: [path: string, field: string, code: string][] = [
		["/request-password-reset", "redirectTo", "INVALID_REDIRECT_URL"],
		["/tenant/sign-in/email", "callbackURL", "INVALID_CALLBACK_URL"],
		["/send-verification-email", "callbackURL", "INVALID_CALLBACK_URL"],
		["/tenant/sign-in/social", "callbackURL", "INVALID_CALLBACK_URL"],
		["/tenant/sign-in/social", "errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"],
		["/tenant/sign-in/social", "newUserCallbackURL", "INVALID_NEW_USER_CALLBACK_URL"],
		["/sign-in/social", "callbackURL", "INVALID_CALLBACK_URL"],
		["/link-social", "errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"],
		["/delete-user", "callbackURL", "INVALID_CALLBACK_URL"],
		["/change-email", "callbackURL", "INVALID_CALLBACK_URL"],
	];

	test.each(endpoints.map((endpoint, index) => [...endpoint, foreignFor(index)] as const))(
		"%s with %s",
		async (path, field, code, targets) => {
			const { post, user, signedIn, backend } = await withTenants();
			for (const target of notEmpty(targets)) {
				const body = { ...user, newEmail: "new@example.com", provider: "google", [field]: target };
				const answer = await answerOf(await post(`${own}/api/auth${path}`, body, signedIn));
				expect([target, ...answer]).toEqual([target, 403, code]);
			}
			expect(await backend.mailer.outbox?.list()).toEqual([]);
		},
	);

	const links = ["/reset-password/token", "/verify-email", "/delete-user/callback"];

	test.each(links.map((path, index) => [path, foreignFor(index)] as const))(
		"a link to %s",
		async (path, targets) => {
			const { call } = await withTenants();
			for (const target of notEmpty(targets)) {
				const query = new URLSearchParams({ token: "token", callbackURL: target });
				const answer = await answerOf(await call(`${own}/api/auth${path}?${query}`));
				expect([target, ...answer]).toEqual([target, 403, "INVALID_CALLBACK_URL"]);
			}
		},
	);
});

test("the server's own host does not redirect to the URL of a tenant's host", async () => {
	const { post, named, user } = await withTenants();
	for (const redirectTo of [...foreign, `${own}/x`]) {
		const body = { email: user.email, redirectTo };
		expect(await answerOf(await post("/request-password-reset", body, named))).toEqual([
			403,
			"INVALID_REDIRECT_URL",
		]);
	}
});

const withTrustedOrigins = useTenants({ TRUSTED_ORIGINS: "https://app.example.com, myapp://" });

test.each(["/x", `${own}/x`, `${service}/x`, "https://app.example.com/x", "myapp://x"])(
	"the token of a reset stays at the tenant's page, which goes on to %s",
	async (redirectTo) => {
		const running = await withTrustedOrigins();
		const body = { email: running.user.email, redirectTo };
		const response = await running.post(`${own}/api/auth/request-password-reset`, body);
		expect(response.status).toBe(200);
		const redirect = await running.call(await newestLink(running));
		const page = new URL(redirect.headers.get("location") ?? "");
		expect(page.href.split("?")[0]).toBe(`${own}/new-password`);
		expect(page.searchParams.get("token")).toBeTruthy();
		expect(page.searchParams.get("callbackURL")).toBe(redirectTo);
		// The page trusts the target: it has it as the place to go on to.
		expect((await running.call(page.href)).status).toBe(200);
	},
);

test("only the tenant's own pages may change something on its host", async () => {
	const { post, signedIn } = await withTenants();
	const change = (origin: string) =>
		post(`${own}/api/auth/update-user`, { name: "Countess" }, { ...signedIn, origin });
	expect((await change(own)).status).toBe(200);
	for (const target of notEmpty(foreign.filter((target) => URL.canParse(target)))) {
		const { origin } = new URL(target);
		expect([origin, ...(await answerOf(await change(origin)))]).toEqual([
			origin,
			403,
			"INVALID_ORIGIN",
		]);
	}
});

const withTrustedHosts = useTenants({ TRUSTED_ORIGINS: "https://*.example.com" });

test("every host below the domain is trusted if the operator lists it", async () => {
	const { post, user } = await withTrustedHosts();
	const body = { email: user.email, redirectTo: "https://blog.example.com/x" };
	expect((await post(`${own}/api/auth/request-password-reset`, body)).status).toBe(200);
});

test.each([
	["requested on the tenant's host", `${own}/api/auth`, undefined],
	["requested on the server's own host", `${service}/api/auth`, undefined],
	[
		"requested on the server's own host with the tenant's page",
		`${service}/api/auth`,
		"/t/acme/new-password",
	],
])("the link of an email %s ends on the tenant's page", async (_, base, redirectTo) => {
	const running = await withTenants();
	const { post, user, named } = running;
	await post(`${base}/request-password-reset`, { email: user.email, redirectTo }, named);
	const page = await follow(running, await newestLink(running));
	expect(`${page.origin}${page.pathname}`).toBe(`${own}/new-password`);
	const token = page.searchParams.get("token");
	const reset = await post(`${own}/api/auth/reset-password`, { token, newPassword: "another one" });
	expect(reset.status).toBe(200);
	await post(`${base}/send-verification-email`, { email: user.email }, named);
	expect((await follow(running, await newestLink(running))).href).toBe(`${own}/verify/done`);
});

test.each([
	["/t/globex/x", service],
	["/t/blog/x", service],
	["/x/../t/globex/x", service],
	[`${service}/t/globex/x`, own],
	[`${service}/t/acme/../blog/x`, own],
	[`${service}/t/%61cme/x`, own],
])(
	"an email with %s, requested on %s, does not send its token to another tenant",
	async (to, base) => {
		const running = await withTenants();
		const { post, user, named } = running;
		const body = { email: user.email, redirectTo: to };
		expect((await post(`${base}/api/auth/request-password-reset`, body, named)).status).toBe(200);
		const page = await follow(running, await newestLink(running));
		expect(`${page.origin}${page.pathname}`).toBe(`${own}/new-password`);
	},
);

test("an email to a platform user does not send its token to a tenant", async () => {
	const running = await withTenants();
	const { post } = running;
	const email = "operator@example.com";
	await inviteOperator(running, email, "owner");
	await post("/request-password-reset", { email, redirectTo: "/t/globex/x" });
	const page = await follow(running, await newestLink(running));
	expect(`${page.origin}${page.pathname}`).toBe(`${service}/console/new-password`);
});

test("the link of a password reset by a manager ends on the tenant's page", async () => {
	const running = await withTenants();
	const { post, named, userId } = running;
	const manager = { ...asManager, ...named };
	const sent = await post("/tenant/user/send-password-reset", { userId }, manager);
	expect(sent.status).toBe(200);
	const page = await follow(running, await newestLink(running));
	expect(`${page.origin}${page.pathname}`).toBe(`${own}/new-password`);
});

test("a social sign-in on the server's own host may return to the tenant's page", async () => {
	const { post, named } = await withTenants();
	const body = { provider: "google", callbackURL: "/t/acme/account", errorCallbackURL: "/t/acme" };
	expect((await post("/tenant/sign-in/social", body, named)).status).toBe(200);
});
