import { type Instance, type InstanceOptions, makeInstance } from "../worlds/instance";
import { type StoredChoice, storeChoice } from "../worlds/stored-choice";
import { ROUTES, type RouteName } from "./all-routes";

export const PASSWORD = "correct horse battery";

const unique = () => Math.random().toString(36).slice(2, 12);

export interface Target {
	tenantId: string;
	email: string;
	userId: string;
	sessionId: string;
	webhookId: string;
	deliveryId: string;
	/** An email domain that is verified. */
	domainId: string;
	/** The session of the user. */
	cookie: string;
	/** An invitation, and the token of another one. */
	invitationId: string;
	invitationToken: string;
	/** A user of no tenant. */
	platformUserId: string;
	/** A browser that may finish a link with a user of another tenant. */
	startedLink?: { cookie: string; linkCode: string };
	/** A browser that is signed in to another tenant, and linked with a user of this one. */
	linkedCookie?: string;
	/** Of a person who can choose the tenant. */
	choice?: StoredChoice;
}

const noChoice: StoredChoice = { token: "none", cookie: "" };

export interface EndpointCall {
	body?: Record<string, unknown>;
	query?: Record<string, string>;
	cookie?: string;
}

const client = {
	providerId: "github",
	clientId: "client-id",
	clientSecret: "client-secret",
} as const;
/** At a host that does not exist: a test of this config leaves the machine nowhere. */
const tested = {
	...client,
	providerId: "paybin",
	options: { issuer: "https://paybin.example.com" },
} as const;
/** Nobody answers at this address. */
const webhook = { url: "https://hooks.example.com/in", eventTypes: ["tenant.suspended"] };
/** The verified login domain of a target. */
const loginHostOf = (tenantId: string) => `login-${tenantId.toLowerCase()}.example.com`;

const newUser = () => ({ name: "Ada", email: `${unique()}@example.com`, password: PASSWORD });

/**
 * A valid call of every route. In this order all of them succeed on one target. Each succeeds on a new
 * target too, except that events can be erased only after the tenant was deleted. A new route needs a call here, or this file does not compile.
 */
const CALLS: Record<RouteName, (target: Target) => EndpointCall> = {
	createTenant: () => ({ body: { name: "New", slug: `slug-${unique()}`, metadata: { a: 1 } } }),
	getTenant: ({ tenantId }) => ({ query: { id: tenantId } }),
	listTenants: () => ({}),
	updateTenant: ({ tenantId }) => ({ body: { tenantId, name: "Changed" } }),
	getTenantPolicy: ({ tenantId }) => ({ query: { tenantId } }),
	updateTenantPolicy: ({ tenantId }) => ({ body: { tenantId, password: { minLength: 12 } } }),
	suspendTenant: ({ tenantId }) => ({ body: { tenantId } }),
	resumeTenant: ({ tenantId }) => ({ body: { tenantId } }),
	registerTenantOAuthConfig: ({ tenantId }) => ({ body: { tenantId, ...client } }),
	listTenantOAuthConfigs: ({ tenantId }) => ({ query: { tenantId } }),
	effectiveTenantOAuthConfigs: ({ tenantId }) => ({ query: { tenantId } }),
	testTenantOAuthConfig: ({ tenantId }) => ({ body: { tenantId, providerId: tested.providerId } }),
	tenantLoginOptions: ({ tenantId }) => ({ query: { tenantId } }),
	currentTenant: ({ tenantId, cookie }) => ({ query: { tenantId }, cookie }),
	tenantPermissions: ({ tenantId, cookie }) => ({ query: { tenantId }, cookie }),
	signInSocialTenant: ({ tenantId }) => ({ body: { tenantId, provider: "github" } }),
	updateTenantOAuthConfig: ({ tenantId }) => ({
		body: { tenantId, providerId: "github", enabled: false },
	}),
	deleteTenantOAuthConfig: ({ tenantId }) => ({ body: { tenantId, providerId: "github" } }),
	addTenantDomain: ({ tenantId }) => ({
		body: { tenantId, host: `${unique()}.example.com`, purpose: "login" },
	}),
	listTenantDomains: ({ tenantId }) => ({ query: { tenantId } }),
	verifyTenantDomain: ({ tenantId, domainId }) => ({ body: { tenantId, domainId } }),
	updateTenantDomain: ({ tenantId, domainId }) => ({
		body: { tenantId, domainId, discoverable: true },
	}),
	askTenantDomain: ({ tenantId }) => ({ query: { domain: loginHostOf(tenantId) } }),
	startTenantChooser: () => ({ body: { provider: "google", callbackURL: "/home" } }),
	listTenantChoices: ({ choice: { token, cookie } = noChoice }) => ({ query: { token }, cookie }),
	chooseTenant: ({ tenantId, choice: { token, cookie } = noChoice }) => ({
		body: { token, tenantId },
		cookie,
	}),
	discoverTenant: ({ email }) => ({ query: { email } }),
	removeTenantDomain: ({ tenantId, domainId }) => ({ body: { tenantId, domainId } }),
	signUpEmailTenant: ({ tenantId }) => ({ body: { tenantId, ...newUser() } }),
	signInEmailTenant: ({ tenantId, email }) => ({ body: { tenantId, email, password: PASSWORD } }),
	listTenantUsers: ({ tenantId }) => ({ query: { tenantId } }),
	getTenantUser: ({ tenantId, userId }) => ({ query: { tenantId, userId } }),
	listTenantSessions: ({ tenantId }) => ({ query: { tenantId } }),
	sendTenantPasswordReset: ({ tenantId, userId }) => ({ body: { tenantId, userId } }),
	createTenantSignInLink: ({ tenantId, userId }) => ({
		body: { tenantId, userId, reason: "The owner is locked out" },
	}),
	createTenantInvitation: ({ tenantId }) => ({
		body: { tenantId, email: `${unique()}@example.com`, role: "admin", callbackURL: "/join" },
	}),
	listTenantInvitations: ({ tenantId }) => ({ query: { tenantId } }),
	resendTenantInvitation: ({ tenantId, invitationId }) => ({ body: { tenantId, invitationId } }),
	revokeTenantInvitation: ({ tenantId, invitationId }) => ({ body: { tenantId, invitationId } }),
	getTenantInvitation: ({ tenantId, invitationToken: token }) => ({ query: { tenantId, token } }),
	acceptTenantInvitation: ({ tenantId, invitationToken: token }) => ({ body: { tenantId, token } }),
	getTenantLinkSettings: ({ tenantId }) => ({ query: { tenantId } }),
	updateTenantLinkSettings: ({ tenantId }) => ({ body: { tenantId, allowed: true } }),
	startTenantLink: ({ tenantId, cookie }) => ({ body: { tenantId }, cookie }),
	finishTenantLink: ({ tenantId, startedLink }) => ({
		body: { tenantId, linkCode: startedLink?.linkCode ?? "x" },
		cookie: startedLink?.cookie ?? "",
	}),
	listTenantLinks: ({ tenantId, cookie }) => ({ query: { tenantId }, cookie }),
	switchTenantLink: ({ tenantId, linkedCookie: cookie = "" }) => ({ body: { tenantId }, cookie }),
	endTenantLinks: ({ tenantId, cookie }) => ({ body: { tenantId }, cookie }),
	importTenantUsers: ({ tenantId }) => ({
		body: { tenantId, users: [{ externalId: unique(), email: `${unique()}@example.com` }] },
	}),
	moveTenantUsers: ({ tenantId, platformUserId }) => ({
		body: { tenantId, userIds: [platformUserId] },
	}),
	revokeTenantSession: ({ tenantId, userId, sessionId }) => ({
		body: { tenantId, userId, sessionId },
	}),
	revokeTenantUserSessions: ({ tenantId, userId }) => ({ body: { tenantId, userId } }),
	removeTenantSecondFactor: ({ tenantId, userId }) => ({ body: { tenantId, userId } }),
	removeTenantPasskeys: ({ tenantId, userId }) => ({ body: { tenantId, userId } }),
	createTenantUser: ({ tenantId }) => ({
		body: { tenantId, ...newUser(), emailVerified: true, role: "admin" },
	}),
	updateTenantUser: ({ tenantId, userId }) => ({
		body: { tenantId, userId, name: "Renamed", role: "member" },
	}),
	disableTenantUser: ({ tenantId, userId }) => ({ body: { tenantId, userId } }),
	enableTenantUser: ({ tenantId, userId }) => ({ body: { tenantId, userId } }),
	impersonateTenantUser: ({ tenantId, userId }) => ({
		body: { tenantId, userId, reason: "A question about an invoice" },
	}),
	deleteTenantUser: ({ tenantId, userId }) => ({ body: { tenantId, userId } }),
	listTenantSignIns: ({ tenantId }) => ({ query: { tenantId } }),
	createTenantWebhook: ({ tenantId }) => ({ body: { tenantId, ...webhook } }),
	listTenantWebhooks: ({ tenantId }) => ({ query: { tenantId } }),
	updateTenantWebhook: ({ tenantId, webhookId }) => ({ body: { tenantId, webhookId } }),
	rotateTenantWebhookSecret: ({ tenantId, webhookId }) => ({ body: { tenantId, webhookId } }),
	testTenantWebhook: ({ tenantId, webhookId }) => ({ body: { tenantId, webhookId } }),
	listTenantWebhookDeliveries: ({ tenantId }) => ({ query: { tenantId } }),
	replayTenantWebhookDelivery: ({ tenantId, deliveryId }) => ({ body: { tenantId, deliveryId } }),
	deleteTenantWebhook: ({ tenantId, webhookId }) => ({ body: { tenantId, webhookId } }),
	deleteTenant: ({ tenantId }) => ({ body: { tenantId } }),
	listTenantAuditEvents: ({ tenantId }) => ({ query: { tenantId } }),
	eraseTenantAuditEvents: ({ tenantId }) => ({ body: { tenantId } }),
};

export const routeNames = Object.keys(CALLS) as RouteName[];

/** The routes that need management, with their actions. */
export const managedRoutes = routeNames.flatMap((name) => {
	const route = ROUTES[name];
	return "action" in route ? [{ name, ...route }] : [];
});

export const validCall = (name: RouteName, target: Target) => CALLS[name](target);

/**
 * A new tenant with a signed-in owner, OAuth configs, two invitations, a domain, and a webhook
 * with a delivery. And a user of the platform.
 */
export async function makeTarget(instance: Instance): Promise<Target> {
	const { auth, signUp, call, db, addDomain } = instance;
	const tenant = { name: "Acme", slug: `acme-${unique()}` };
	const { id: tenantId } = await auth.api.createTenant({ body: tenant });
	await auth.api.registerTenantOAuthConfig({ body: { tenantId, ...client } });
	await auth.api.registerTenantOAuthConfig({ body: { tenantId, ...tested } });
	await addDomain(tenantId, loginHostOf(tenantId));
	const domain = await addDomain(tenantId, `${unique()}.example.com`, "email");
	const email = `${unique()}@example.com`;
	const { body, cookie } = await signUp(tenantId, email, PASSWORD);
	const userId = body.user.id;
	// The last owner could not be removed.
	const otherEmail = `${unique()}@example.com`;
	const other = await signUp(tenantId, otherEmail, PASSWORD);
	const owners = [userId, other.body.user.id];
	await db.updateTable("user").set({ tenantRole: "owner" }).where("id", "in", owners).execute();
	const invite = () =>
		auth.api.createTenantInvitation({
			body: { tenantId, email: `${unique()}@example.com`, role: "admin" },
		});
	const [{ id: invitationId }, { token: invitationToken = "" }] = [await invite(), await invite()];
	const person = { email: `${unique()}@example.com`, name: "Chooser", emailVerified: 1 };
	const dates = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() };
	// Not by a call: hooks of the app may refuse it.
	await db
		.insertInto("user")
		.values({ id: `chooser-${unique()}`, tenantId, ...person, ...dates })
		.execute();
	const onPlatform = await call("/sign-up/email", { body: newUser() });
	const { id: webhookId } = await auth.api.createTenantWebhook({
		body: { tenantId, url: webhook.url, eventTypes: ["webhook.updated"] },
	});
	await auth.api.updateTenantWebhook({ body: { tenantId, webhookId } });
	const [delivery] = await auth.api.listTenantWebhookDeliveries({ query: { tenantId } });
	return {
		...(await makeLinks(instance, tenantId, otherEmail)),
		...{ tenantId, email, userId, cookie, invitationId, invitationToken, webhookId },
		sessionId: body.session?.id ?? "",
		platformUserId: onPlatform.body.user.id,
		deliveryId: delivery?.id ?? "",
		domainId: domain.body.id,
		choice: await storeChoice({ auth }, person.email),
	};
}

/** Two browsers of a person who also has a user in another tenant. */
async function makeLinks(
	{ auth, call, signUp, makeTenant }: Instance,
	tenantId: string,
	email: string,
): Promise<Pick<Target, "startedLink" | "linkedCookie">> {
	const otherId = await makeTenant();
	for (const id of [tenantId, otherId]) {
		await auth.api.updateTenantLinkSettings({ body: { tenantId: id, allowed: true } });
	}
	await signUp(otherId, email, PASSWORD);
	const signIn = (id: string) =>
		call("/tenant/sign-in/email", { body: { tenantId: id, email, password: PASSWORD } });
	/** Signed in to the second tenant, before the link is finished. */
	const start = async (first: string, second: string) => {
		const { cookie } = await signIn(first);
		const started = await call("/tenant/link/start", { cookie, body: {} });
		const session = (await signIn(second)).cookie;
		return {
			session,
			cookie: `${session}; ${started.cookie}`,
			linkCode: String(started.body.linkCode),
		};
	};
	const { cookie, linkCode } = await start(otherId, tenantId);
	const other = await start(tenantId, otherId);
	const finished = await call("/tenant/link/finish", {
		cookie: other.cookie,
		body: { linkCode: other.linkCode },
	});
	return {
		startedLink: { cookie, linkCode },
		linkedCookie: `${other.session}; ${finished.cookie}`,
	};
}

/** An app with a target, for `useWorld`. */
export async function makeTargetWorld(options: InstanceOptions = {}) {
	const instance = await makeInstance(options);
	return { ...instance, target: await makeTarget(instance) };
}
