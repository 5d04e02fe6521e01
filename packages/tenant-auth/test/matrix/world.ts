import { type Answer, type Instance, makeInstance } from "../support/instance";

/** One of the two tenants that meet in the matrix, and everything that is its own. */
interface Side {
	tenantId: string;
	slug: string;
	email: string;
	password: string;
	userId: string;
	sessionId: string;
	token: string;
	cookie: string;
	accountId: string;
	configId: string;
	clientId: string;
	/** Of a social sign-in that is under way in the tenant's own browser. */
	oauthState: string;
}

/** Tenant A, which is attacked, and tenant B, which attacks. Both have a user with one address. */
export interface World extends Instance {
	a: Side;
	b: Side;
	/** A call by B's user, with its session. */
	asUserOfB: Instance["call"];
	/** A call by somebody whom the host lets manage B, and nothing else. */
	asManagerOfB: Instance["call"];
}

const badgeOf = (tenantId: string) => `Manager ${tenantId}`;

export async function makeWorld(): Promise<World> {
	const instance = await makeInstance({
		tenants: {
			canManageTenants: (ctx, { tenantId }) =>
				tenantId !== null && ctx.headers?.get("authorization") === badgeOf(tenantId),
		},
	});
	const a = await makeSide(instance, "a");
	const b = await makeSide(instance, "b");
	// A provider that only A has.
	await registerConfig(instance, a.tenantId, "github", "client of a at github");
	return {
		...instance,
		a,
		b,
		asUserOfB: (path, options = {}) => instance.call(path, { cookie: b.cookie, ...options }),
		asManagerOfB: (path, options = {}) =>
			instance.call(path, {
				...options,
				headers: { authorization: badgeOf(b.tenantId), ...options.headers },
			}),
	};
}

async function makeSide(instance: Instance, name: string): Promise<Side> {
	const { makeTenant, signUp, call, db } = instance;
	const slug = `tenant-of-${name}`;
	const tenantId = await makeTenant(slug);
	const email = "ada@example.com";
	const password = `the password in ${name}`;
	const { body, cookie } = await signUp(tenantId, email, password);
	const account = await db
		.selectFrom("account")
		.select("id")
		.where("tenantId", "=", tenantId)
		.executeTakeFirstOrThrow();
	const clientId = `client of ${name} at google`;
	const config = await registerConfig(instance, tenantId, "google", clientId);
	const started = await call("/tenant/sign-in/social", {
		body: { tenantId, provider: "google", callbackURL: "/home", errorCallbackURL: "/failed" },
	});
	return {
		tenantId,
		slug,
		email,
		password,
		userId: body.user.id,
		sessionId: body.session.id,
		token: body.token,
		cookie: `${cookie}; ${started.cookie}`,
		accountId: String(account.id),
		configId: config.body.id,
		clientId,
		oauthState: String(new URL(started.body.url).searchParams.get("state")),
	};
}

function registerConfig(
	{ manage }: Instance,
	tenantId: string,
	providerId: string,
	clientId: string,
): Promise<Answer> {
	return manage("/tenant/oauth-config/register", {
		body: { tenantId, providerId, clientId, clientSecret: `secret of ${clientId}` },
	});
}

/** What no answer to B may tell of A. */
export function secretsOf({ a }: World): string[] {
	return [a.userId, a.sessionId, a.token, a.accountId, a.configId, a.clientId, "client of a"];
}
