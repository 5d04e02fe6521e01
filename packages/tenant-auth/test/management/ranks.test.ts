import { type ManagementAction, type TenantRoles, tenantAccess } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { expectRefusal } from "../support/http/refusal";
import { type RogueProvider, startRogueProvider } from "../support/providers/rogue-provider";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { FEATURE_ACTIONS } from "../support/worlds/features";
import { makePeople, type Person } from "../support/worlds/people";

/** Everything that a role can have. Whatever it is refused, it is refused because of its rank. */
const deputy = tenantAccess.newRole({
	...tenantAccess.statements,
	...Object.fromEntries(
		FEATURE_ACTIONS.map((action) => action.split(":")[0] ?? "").map((resource) => [
			resource,
			FEATURE_ACTIONS.flatMap((action) => action.split(`${resource}:`)[1] ?? []),
		]),
	),
});
/** It manages users, and impersonates them, which an admin does not. */
const agent = tenantAccess.newRole({
	user: tenantAccess.statements.user.filter((name) => name !== "delete"),
	session: ["revoke"],
});
const reader = tenantAccess.newRole({ user: ["list"] });
const roles: TenantRoles = { deputy, agent, reader };

/** The roles that each actor reaches. They are written out: the test must not use the rule it checks. */
const REACHED = {
	owner: ["owner", "deputy", "admin", "agent", "reader", "member"],
	deputy: ["deputy", "admin", "agent", "reader", "member"],
	admin: ["admin", "reader", "member"],
} as const;

const ACTORS = notEmpty(Object.keys(REACHED) as (keyof typeof REACHED)[]);
const TARGETS = notEmpty(REACHED.owner);
const reaches = (actor: keyof typeof REACHED, role: string) =>
	REACHED[actor].some((reached) => reached === role);

interface Call {
	path: string;
	body: Record<string, unknown>;
}

type World = Awaited<ReturnType<typeof makeWorld>>;

/** What an action does to somebody else. */
interface Power {
	/** Calls that change one user. */
	overUser?: ((user: Person, world: World) => Call | Promise<Call>)[];
	/** Calls that give a role. */
	givesRole?: ((role: string, world: World) => Call | Promise<Call>)[];
	/** A role that it gives to nobody, whoever calls. */
	neverGives?: string;
	/** Calls that reach all users, owners too. */
	overAll?: ((world: World) => Call | Promise<Call>)[];
}

const user =
	(path: string, more: object = {}) =>
	({ id: userId }: Person): Call => ({ path: `user/${path}`, body: { userId, ...more } });

const unique = () => Math.random().toString(36).slice(2, 12);
const client = { clientId: "id", clientSecret: "secret" };
const own = { providerId: "oidc:mine", ...client };

/** No power over another user: it reads, or it is about something else. */
const NONE: Power = {};

/** Every action that a role can have. A new one must be added here. */
const POWERS: Record<string, Power> = {
	"tenant:get": NONE,
	"tenant:update": {
		overAll: [() => ({ path: "update", body: { slug: `slug-${unique()}` } })],
	},
	"policy:get": NONE,
	"policy:update": {
		overAll: [
			{ signIn: { methods: ["magic-link"] } },
			{ signIn: { providers: [] } },
			{ session: { lifetime: 7 * 86_400 } },
			{ session: { idleTime: 86_400 } },
			{ session: { lifetime: 6 * 86_400, idleTime: 43_200 } },
		].map((body) => () => ({ path: "policy/update", body })),
	},
	"oauth-config:register": {
		neverGives: "owner",
		givesRole: [
			(role) => ({
				path: "oauth-config/register",
				body: {
					...own,
					options: {
						issuer: provider.issuer,
						claims: { role: "groups" },
						roles: { a: role },
					},
				},
			}),
		],
		overAll: [
			({ emailDomain }) => ({
				path: "oauth-config/register",
				body: {
					...own,
					options: { issuer: provider.issuer },
					trustEmails: [emailDomain],
				},
			}),
		],
	},
	"oauth-config:update": {
		neverGives: "owner",
		givesRole: [
			async (role, { manage, tenantId }) => {
				const { issuer } = provider;
				const options = { issuer };
				await manage("/tenant/oauth-config/register", { body: { tenantId, ...own, options } });
				const mapped = { ...options, claims: { role: "groups" }, roles: { a: role } };
				return { path: "oauth-config/update", body: { ...own, options: mapped } };
			},
		],
		overAll: [
			async ({ manage, tenantId, emailDomain }) => {
				const body = { tenantId, providerId: "github", ...client };
				await manage("/tenant/oauth-config/register", { body });
				return {
					path: "oauth-config/update",
					body: { providerId: "github", trustEmails: [emailDomain] },
				};
			},
		],
	},
	"oauth-config:list": NONE,
	"oauth-config:delete": NONE,
	"oauth-config:effective": NONE,
	"connection:test": NONE,
	"user:list": NONE,
	"user:get": NONE,
	"user:create": {
		givesRole: [
			(role) => ({
				path: "user/create",
				body: { name: "New", email: `${unique()}@example.com`, role },
			}),
		],
	},
	"user:update": {
		overUser: [
			user("update", { name: "Renamed" }),
			({ id }) => ({ path: "user/update", body: { userId: id, email: `${id}@example.com` } }),
			user("update", { role: "member" }),
		],
		givesRole: [
			async (role, { add }) => ({
				path: "user/update",
				body: { userId: (await add(null)).id, role },
			}),
		],
	},
	"user:disable": { overUser: [user("disable")] },
	"user:enable": { overUser: [user("enable")] },
	"user:impersonate": { overUser: [user("impersonate", { reason: "A question" })] },
	"user:delete": { overUser: [user("delete")] },
	"user:revoke-sessions": { overUser: [user("revoke-sessions")] },
	"user:send-password-reset": { overUser: [user("send-password-reset")] },
	"user:remove-second-factor": { overUser: [user("remove-second-factor")] },
	"user:remove-passkeys": { overUser: [user("remove-passkeys")] },
	"invitation:create": {
		givesRole: [
			(role) => ({
				path: "invitation/create",
				body: { email: `${unique()}@example.com`, role },
			}),
		],
	},
	"invitation:resend": {
		givesRole: [
			async (role, { manage, tenantId }) => {
				const email = `${unique()}@example.com`;
				const sent = await manage("/tenant/invitation/create", {
					body: { tenantId, email, role, callbackURL: "/join" },
				});
				return { path: "invitation/resend", body: { invitationId: sent.body.id } };
			},
		],
	},
	"invitation:list": NONE,
	"invitation:revoke": NONE,
	"domain:add": NONE,
	"domain:list": NONE,
	"domain:verify": {
		overAll: [
			async ({ manage, tenantId, dns }) => {
				const host = `${unique()}.example.net`;
				const { body } = await manage("/tenant/domain/add", {
					body: { tenantId, host, purpose: "login" },
				});
				dns.set(body.record.name, [body.record.value]);
				return { path: "domain/verify", body: { domainId: body.id } };
			},
		],
	},
	"domain:update": {
		overAll: [
			async ({ addDomain, tenantId }) => {
				const { body } = await addDomain(tenantId, `${unique()}.example.net`);
				return { path: "domain/update", body: { domainId: body.id, primary: true } };
			},
		],
	},
	"domain:remove": NONE,
	"link-settings:get": NONE,
	"link-settings:update": {
		overAll: [() => ({ path: "link-settings/update", body: { allowed: false } })],
	},
	"webhook:create": NONE,
	"webhook:list": NONE,
	"webhook:update": NONE,
	"webhook:rotate-secret": NONE,
	"webhook:test": NONE,
	"webhook:list-deliveries": NONE,
	"webhook:replay-delivery": NONE,
	"webhook:delete": NONE,
	"sign-in:list": NONE,
	"session:list": NONE,
	"session:revoke": {
		overUser: [
			async ({ id: userId }, { db }) => {
				const { id } = await db
					.selectFrom("session")
					.select("id")
					.where("userId", "=", userId)
					.executeTakeFirstOrThrow();
				return { path: "session/revoke", body: { userId, sessionId: id } };
			},
		],
	},
	"audit:list": NONE,
};

const actions = [
	...Object.entries(tenantAccess.statements).flatMap(([resource, names]) =>
		names.map((name) => `${resource}:${name}`),
	),
	...FEATURE_ACTIONS,
] as ManagementAction[];

async function makeWorld() {
	const app = await makePeople({
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: async () => {} },
		tenants: { roles, allowPrivateProviderHosts: true },
	});
	const emailDomain = `${unique()}.example.org`;
	await app.addDomain(app.tenantId, emailDomain, "email");
	// A second owner, so that an owner can be removed.
	const world = { ...app, emailDomain, deputy: await app.add("deputy") };
	const act = ({ cookie }: Person, { path, body }: Call) =>
		world.call(`/tenant/${path}`, { body: { tenantId: world.tenantId, ...body }, cookie });
	return { ...world, act };
}

/** Everything that belongs to a user. */
async function readAll({ db }: World, { id }: Person) {
	const [users, sessions, accounts] = await Promise.all([
		db.selectFrom("user").selectAll().where("id", "=", id).execute(),
		db.selectFrom("session").selectAll().where("userId", "=", id).execute(),
		db.selectFrom("account").selectAll().where("userId", "=", id).execute(),
	]);
	return { users, sessions, accounts };
}

/** Makes a user an owner as the first thing in each transaction, after the first check of the role. */
async function promoting<T>({ id }: Person, work: () => Promise<T>): Promise<T> {
	const { statements, database } = world;
	statements.push = (sql) => {
		if (sql === "begin") {
			database.prepare(`update "user" set "tenantRole" = 'owner' where "id" = ?`).run(id);
		}
		return 0;
	};
	const answer = await work();
	Reflect.deleteProperty(statements, "push");
	return answer;
}

let provider: RogueProvider;
let world: World;
/** One user of each role. A refused call changes nothing of them. */
const untouched: Record<string, Person> = {};

beforeAll(async () => {
	provider = await startRogueProvider();
	world = await makeWorld();
	for (const role of TARGETS) untouched[role] = await world.add(role);
});
afterAll(() => provider.close());

const ranked = Object.entries(POWERS);

it("every action that a role can have says whom it reaches", () => {
	expect(Object.keys(POWERS).sort()).toEqual([...actions].sort());
});

describe("an action on a user", () => {
	const rows = ranked.flatMap(([action, { overUser = [] }]) =>
		overUser.map((call, index) => ({ action, index, call })),
	);

	it.each(notEmpty(rows))(
		"$action ($index) reaches nobody who may do more",
		async ({ action, call }) => {
			const world = await makeWorld();
			// By default an admin has no right to impersonate.
			const actors = ACTORS.filter((actor) => actor !== "admin" || action !== "user:impersonate");
			for (const actor of notEmpty(actors)) {
				for (const role of notEmpty(TARGETS)) {
					const target = await world.add(role);
					const made = await call(target, world);
					const before = await readAll(world, target);
					const answer = await world.act(world[actor], made);
					const cell = `${actor} on ${role}`;
					if (reaches(actor, role)) {
						expect([cell, answer.status]).toEqual([cell, 200]);
						continue;
					}
					expect([cell, answer.body?.code]).toEqual([cell, "ROLE_NOT_ALLOWED"]);
					expect([cell, await readAll(world, target)]).toEqual([cell, before]);
				}
			}
		},
	);
});

describe("a role", () => {
	const rows = ranked.flatMap(([action, { givesRole = [], neverGives }]) =>
		givesRole.map((call, index) => ({ action, index, call, neverGives })),
	);

	it.each(notEmpty(rows))(
		"$action ($index) gives no role that permits more",
		async ({ call, neverGives }) => {
			const world = await makeWorld();
			for (const actor of notEmpty(ACTORS)) {
				for (const role of notEmpty(TARGETS)) {
					const answer = await world.act(world[actor], await call(role, world));
					const cell = `${actor} gives ${role}`;
					if (role === neverGives) expect([cell, answer.status >= 400]).toEqual([cell, true]);
					else {
						const refused = answer.body?.code === "ROLE_NOT_ALLOWED";
						expect([cell, refused]).toEqual([cell, !reaches(actor, role)]);
					}
				}
			}
		},
	);
});

describe("an action that reaches owners too", () => {
	const rows = ranked.flatMap(([action, { overAll = [] }]) =>
		overAll.map((call, index) => ({ action, index, call })),
	);

	it.each(notEmpty(rows))("$action ($index) is for owners only", async ({ call }) => {
		for (const actor of [world.admin, world.deputy]) {
			const { status } = await world.act(actor, await call(world));
			expect(status).toBe(403);
		}
		const { status } = await world.act(world.owner, await call(world));
		expect(status).not.toBe(403);
	});
});

describe("a user who becomes an owner while somebody changes them", () => {
	const rows = ranked.flatMap(([action, { overUser = [] }]) =>
		overUser.map((call, index) => ({ action, index, call })),
	);
	// The email goes to the user's own address. So it gives the caller nothing.
	const written = rows.filter(({ action }) => action !== "user:send-password-reset");

	it.each(notEmpty(written))("is out of reach for $action ($index)", async ({ call }) => {
		const target = await world.add("member");
		const made = await call(target, world);
		const before = await readAll(world, target);
		const answer = await promoting(target, () => world.act(world.deputy, made));
		expectRefusal(answer, 403, "ROLE_NOT_ALLOWED");
		// The promotion was a part of the transaction that was undone.
		expect(await readAll(world, target)).toEqual(before);
	});
});
