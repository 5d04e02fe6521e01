import type { Where } from "@better-auth/core/db/adapter";
import { serializeSignedCookie } from "better-call";
import { generateRow, neededModels } from "./generated-row";
import type { Host } from "./host";
import type { ConformanceOptions, TestTenant } from "./types";

type Row = Record<string, unknown>;

/** A test tenant with one row of everything, or the platform with a user and a session. */
export interface Party extends TestTenant {
	sessionToken: string;
	sessionId: string;
	/** One row of every model with tenant data, as it was created. */
	rows: Map<string, Row>;
	/** What the app's `prepare` returned. */
	prepared: Record<string, string>;
}

/** All parties have the same email, because tenants must be able to share one. */
interface Identity {
	email: string;
	password: string;
}

export async function createTenantParty(
	host: Host,
	canary: string,
	identity: Identity,
	options: ConformanceOptions,
	notes: string[],
): Promise<Party> {
	const slug = `conformance-${canary}`;
	const { id } = await host.createTenant(slug);
	const party = await host.runIn(id)(async () => {
		const created = await createUser(
			host,
			{ id, slug },
			canary,
			identity,
			options.userFields ?? {},
		);
		await createRows(host, created, canary, notes);
		return created;
	});
	party.prepared = (await options.prepare?.(party)) ?? {};
	return party;
}

export function createPlatformParty(host: Host, canary: string, identity: Identity, fields: Row) {
	return createUser(host, { id: "", slug: "" }, canary, identity, fields);
}

/** Creates a row of every other model, those first that the others refer to. */
async function createRows(
	host: Host,
	party: Party,
	canary: string,
	notes: string[],
): Promise<void> {
	const { ctx, tenantModels } = host;
	const idOf = (target: string) => party.rows.get(target)?.id;
	let waiting = tenantModels.filter((model) => !party.rows.has(model));
	// Each round creates what the existing rows allow. Circular foreign keys are left out.
	for (let before = 0; waiting.length !== before; ) {
		before = waiting.length;
		for (const model of waiting) {
			if (!neededModels(model, ctx.tables).every((needed) => party.rows.has(needed))) continue;
			const data = generateRow(model, ctx.tables, canary, { email: party.email, idOf });
			const row = await ctx.adapter.create<Row, Row>({ model, data }).catch((error: unknown) => {
				notes.push(`no row of ${model} could be created: ${String(error)}`);
				return {};
			});
			party.rows.set(model, row);
		}
		waiting = waiting.filter((model) => !party.rows.has(model));
	}
	for (const model of waiting) {
		notes.push(`no row of ${model} could be created: a row that it needs is missing`);
	}
}

async function createUser(
	{ ctx }: Host,
	tenant: { id: string; slug: string },
	canary: string,
	{ email, password }: Identity,
	fields: Row,
): Promise<Party> {
	const generated = generateRow("user", ctx.tables, canary, { email, idOf: () => undefined });
	// An attacker may be an admin of its own tenant.
	const role = ctx.tables.user?.fields.role ? { role: "admin" } : {};
	const user = await ctx.adapter.create<Row, Row>({
		model: "user",
		data: {
			...generated,
			...role,
			emailVerified: true,
			createdAt: new Date(),
			updatedAt: new Date(),
			...fields,
			name: `${canary}_user_name`,
			email,
		},
	});
	const userId = String(user.id);
	await ctx.internalAdapter.linkAccount({
		userId,
		providerId: "credential",
		accountId: userId,
		password: await ctx.password.hash(password),
	});
	const [account] = await ctx.internalAdapter.findAccounts(userId);
	const rows = new Map<string, Row>([["user", user]]);
	if (account) rows.set("account", { ...account });
	const session = await createSession(ctx, userId, rows);
	return { ...tenant, userId, email, password, rows, prepared: {}, ...session };
}

async function createSession(ctx: Host["ctx"], userId: string, rows: Map<string, Row>) {
	const session = await ctx.internalAdapter.createSession(userId);
	rows.set("session", { ...session });
	const { name } = ctx.authCookies.sessionToken;
	const cookie = await serializeSignedCookie(name, session.token, ctx.secret);
	return {
		sessionToken: session.token,
		sessionId: session.id,
		cookie: String(cookie.split(";")[0]),
	};
}

/** Creates a party's user and session again if a call has ended or deleted them. */
export async function restoreParty(host: Host, party: Party): Promise<void> {
	const { ctx } = host;
	const found = await host.runAcrossTenants(() =>
		ctx.internalAdapter.findSession(party.sessionToken),
	);
	if (found) return;
	await host.runIn(party.id)(async () => {
		const user = await ctx.adapter.findOne<Row>({
			model: "user",
			where: [{ field: "id", value: party.userId }],
		});
		if (user) {
			Object.assign(party, await createSession(ctx, party.userId, party.rows));
			return;
		}
		const sameEmail = await ctx.internalAdapter.findUserByEmail(party.email);
		if (sameEmail) await ctx.internalAdapter.deleteUser(sameEmail.user.id);
		const canary = Math.random().toString(36).slice(2, 8);
		const { id, slug } = party;
		const {
			rows,
			prepared: _,
			...created
		} = await createUser(host, { id, slug }, canary, party, {});
		Object.assign(party, created);
		for (const [model, row] of rows) party.rows.set(model, row);
	});
}

/** Returns every row of a tenant as text, by model and id. */
export async function takeSnapshot(host: Host, party: Party): Promise<Map<string, string>> {
	const { ctx } = host;
	return host.runAcrossTenants(async () => {
		const rows = new Map<string, string>();
		const owned = await findOwnedRows(host, party);
		for (const model of host.tenantModels) {
			for (const row of await findRows(host, model, party, owned.get(model) ?? [])) {
				rows.set(`${model} ${String(row.id)}`, JSON.stringify(row));
			}
		}
		const session = await ctx.internalAdapter.findSession(party.sessionToken);
		rows.set("session in the browser", JSON.stringify(session?.session ?? null));
		return rows;
	});
}

/** Returns the ids of a tenant's rows in tables without a `tenantId` column, by model. */
async function findOwnedRows(host: Host, party: Party): Promise<Map<string, string[]>> {
	const { ctx, tenantModels, hasTenantColumn } = host;
	const owned = new Map<string, string[]>();
	if (tenantModels.every(hasTenantColumn)) return owned;
	const owners = await ctx.adapter.findMany<{ model: string; rowId: string }>({
		model: "tenantRow",
		where: [{ field: "tenantId", value: party.id }],
		limit: 1000,
	});
	for (const { model, rowId } of owners) owned.set(model, [...(owned.get(model) ?? []), rowId]);
	return owned;
}

/**
 * A session or an account that another tenant created for A's user is treated as A's. In tables of other
 * plugins only A's own rows are compared: B's rows may refer to A's ids, but A never sees them.
 */
async function findRows(
	{ ctx, hasTenantColumn }: Host,
	model: string,
	party: Party,
	owned: string[],
): Promise<Row[]> {
	const find = (where: Where[]) => ctx.adapter.findMany<Row>({ model, where, limit: 1000 });
	if (!hasTenantColumn(model)) {
		return owned.length > 0 ? find([{ field: "id", operator: "in", value: owned }]) : [];
	}
	const inTenant = { field: "tenantId", value: party.id };
	if (!ctx.tables[model]?.fields.userId) return find([inTenant]);
	return find([
		{ ...inTenant, connector: "OR" },
		{ field: "userId", value: party.userId, connector: "OR" },
	]);
}
