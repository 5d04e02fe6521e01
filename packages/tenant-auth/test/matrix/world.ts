import {
	type Answer,
	EMAIL,
	type Instance,
	type InstanceOptions,
	makeInstance,
} from "../support/worlds/instance";
import { inSetup, type StoreSetup } from "./setups";
import { type SplitRows, splitRows } from "./tenant-rows";

/** One of the two tenants, and what belongs to it. */
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
	/** A verified login domain, and a verified email domain that is hidden. */
	domainId: string;
	emailDomain: string;
	emailDomainId: string;
	clientId: string;
	/** An invitation of {@link GUEST}. */
	invitationId: string;
	invitationToken: string;
	/** The token of a link that signed in the user while they were an owner. */
	signInToken: string;
	webhookId: string;
	deliveryId: string;
	/** The state of a social sign-in that has started in the browser of the tenant. */
	oauthState: string;
	/** The keyring of a browser in which the user has started a link, and the code that finishes it. */
	keyring: string;
	linkCode: string;
}

export const GUEST = "guest@example.com";

/** B attacks A. Both have a user with the same email. */
export interface World extends Instance {
	a: Side;
	b: Side;
	/** A call by the user of B, with its session. */
	asUserOfB: Instance["call"];
	/** A call by a user whom the app allows to manage B only. */
	asManagerOfB: Instance["call"];
	/** The rows before the attack. */
	savedRows: SplitRows;
}

const authorizationFor = (tenantId: string) => `Manager ${tenantId}`;

export async function makeWorld(
	setup?: StoreSetup,
	tenants: InstanceOptions["tenants"] = {},
): Promise<World> {
	const options: InstanceOptions = {
		tenants: {
			...tenants,
			canManageTenants: (ctx, { tenantId }) =>
				tenantId !== null && ctx.headers?.get("authorization") === authorizationFor(tenantId),
		},
	};
	const instance = await makeInstance(inSetup(options, setup));
	const a = await makeSide(instance, "a");
	const b = await makeSide(instance, "b");
	// Only A has this provider.
	await registerConfig(instance, a.tenantId, "github", "client of a at github");
	return {
		...instance,
		a,
		b,
		savedRows: splitRows(instance, a.tenantId),
		asUserOfB: (path, options = {}) => instance.call(path, { cookie: b.cookie, ...options }),
		asManagerOfB: (path, options = {}) =>
			instance.call(path, {
				...options,
				headers: { authorization: authorizationFor(b.tenantId), ...options.headers },
			}),
	};
}

async function makeSide(instance: Instance, name: string): Promise<Side> {
	const { makeTenant, signUp, call, manage, db } = instance;
	const slug = `tenant-of-${name}`;
	const tenantId = await makeTenant(slug);
	const password = `the password in ${name}`;
	const { body, cookie } = await signUp(tenantId, EMAIL, password);
	const account = await db
		.selectFrom("account")
		.select("id")
		.where("tenantId", "=", tenantId)
		.executeTakeFirstOrThrow();
	const userId: string = body.user.id;
	const setRole = (tenantRole: string | null) =>
		db.updateTable("user").set({ tenantRole }).where("id", "=", userId).execute();
	await setRole("owner");
	const invitation = await manage("/tenant/invitation/create", {
		body: { tenantId, email: GUEST, role: "owner" },
	});
	const link = await manage("/tenant/user/sign-in-link", {
		body: { tenantId, userId, reason: "locked out" },
	});
	await setRole(null);
	await instance.auth.api.updateTenantLinkSettings({ body: { tenantId, allowed: true } });
	const startedLink = await call("/tenant/link/start", { cookie, body: {} });
	const clientId = `client of ${name} at google`;
	const config = await registerConfig(instance, tenantId, "google", clientId);
	const webhook = await addWebhook(instance, tenantId, name);
	const emailDomain = `mail-of-${name}.example.com`;
	const login = await instance.addDomain(tenantId, `login-of-${name}.example.com`);
	const mail = await instance.addDomain(tenantId, emailDomain, "email");
	const started = await call("/tenant/sign-in/social", {
		body: { tenantId, provider: "google", callbackURL: "/home", errorCallbackURL: "/failed" },
	});
	return {
		tenantId,
		slug,
		email: EMAIL,
		password,
		userId,
		invitationId: invitation.body.id,
		invitationToken: invitation.body.token,
		signInToken: String(new URL(link.body.url).searchParams.get("token")),
		sessionId: body.session.id,
		token: body.token,
		cookie: `${cookie}; ${started.cookie}`,
		accountId: String(account.id),
		configId: config.body.id,
		domainId: login.body.id,
		emailDomain,
		emailDomainId: mail.body.id,
		clientId,
		...webhook,
		keyring: startedLink.cookie,
		linkCode: String(startedLink.body.linkCode),
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

/** It asks for changes of itself only, so that nothing else writes a delivery. */
async function addWebhook({ manage }: Instance, tenantId: string, name: string) {
	const url = `https://hooks-of-${name}.example.com/in`;
	const created = await manage("/tenant/webhook/create", {
		body: { tenantId, url, eventTypes: ["webhook.updated"] },
	});
	const webhookId: string = created.body.id;
	await manage("/tenant/webhook/update", { body: { tenantId, webhookId } });
	const { body } = await manage("/tenant/webhook/delivery/list", { query: { tenantId } });
	return { webhookId, deliveryId: String(body[0].id) };
}

/** What no answer to B may contain. */
export function secretsOf({ a }: World): string[] {
	const ids = [a.userId, a.sessionId, a.accountId, a.configId, a.invitationId];
	const texts = [a.token, a.signInToken, a.clientId, "client of a", "hooks-of-a"];
	return [...ids, ...texts, a.webhookId, a.deliveryId, a.domainId, a.emailDomainId];
}
