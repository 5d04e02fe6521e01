import type { Where } from "@better-auth/core/db/adapter";
import { serializeSignedCookie } from "better-call";
import { runAcrossTenants, runInTenant } from "../context/current-tenant";
import { acrossTenants } from "../context/request-state";
import type { Host } from "./host";
import { makeUpRow, neededModels } from "./made-up-row";
import type { ConformanceOptions, ThrowAwayTenant } from "./options";

type Row = Record<string, unknown>;

/** One of the parties: a throw-away tenant with a bit of everything, or the platform. */
export interface Side extends ThrowAwayTenant {
	sessionToken: string;
	sessionId: string;
	/** One row of every model of tenant data, as it was made. */
	rows: Map<string, Row>;
	/** What the host's `prepare` has made. */
	prepared: Record<string, string>;
}

/** The address is the same for everybody: tenants must be able to share it. */
export interface Identity {
	email: string;
	password: string;
}

interface ServerApi {
	createTenant: (input: object) => Promise<{ id: string; slug: string }>;
	deleteTenant: (input: object) => Promise<unknown>;
}

export async function makeTenantSide(
	host: Host,
	mark: string,
	identity: Identity,
	options: ConformanceOptions,
	notes: string[],
): Promise<Side> {
	const slug = `conformance-${mark}`;
	const api = host.auth.api as ServerApi;
	const { id } = await api.createTenant({ body: { name: slug, slug } });
	const inside = <T>(work: () => Promise<T>) =>
		runInTenant(host.auth as { $context: Promise<{ adapter: unknown }> }, id, work);
	const side = await inside(() => fill(host, { id, slug }, mark, identity, options, notes));
	side.prepared = (await options.prepare?.(side)) ?? {};
	return side;
}

/** The platform's side has a user and a session only. */
export function makePlatformSide(host: Host, mark: string, identity: Identity, fields: Row) {
	return makeUser(host, { id: "", slug: "" }, mark, identity, fields);
}

async function fill(
	host: Host,
	tenant: { id: string; slug: string },
	mark: string,
	identity: Identity,
	options: ConformanceOptions,
	notes: string[],
): Promise<Side> {
	const side = await makeUser(host, tenant, mark, identity, options.userFields ?? {});
	let waiting = host.tenantModels.filter((model) => !side.rows.has(model));
	// Each round makes what the rows so far allow; foreign keys in a circle are left out.
	for (let before = 0; waiting.length !== before; ) {
		before = waiting.length;
		for (const model of waiting) {
			if (!neededModels(model, host.ctx.tables).every((needed) => side.rows.has(needed))) continue;
			await addRow(host, side, model, mark).catch((error: unknown) => {
				notes.push(`no row of ${model} could be made up: ${String(error)}`);
				side.rows.set(model, {});
			});
		}
		waiting = waiting.filter((model) => !side.rows.has(model));
	}
	for (const model of waiting)
		notes.push(`no row of ${model} could be made up: what it needs is missing`);
	return side;
}

async function addRow({ ctx }: Host, side: Side, model: string, mark: string): Promise<void> {
	const idOf = (target: string) => side.rows.get(target)?.id;
	const data = makeUpRow(model, ctx.tables, mark, { email: side.email, idOf });
	side.rows.set(model, await ctx.adapter.create<Row, Row>({ model, data }));
}

async function makeUser(
	{ ctx }: Host,
	tenant: { id: string; slug: string },
	mark: string,
	{ email, password }: Identity,
	fields: Row,
): Promise<Side> {
	const made = makeUpRow("user", ctx.tables, mark, { email, idOf: () => undefined });
	// Whoever attacks may be the administrator of his own tenant.
	const role = ctx.tables.user?.fields.role ? { role: "admin" } : {};
	const user = await ctx.adapter.create<Row, Row>({
		model: "user",
		data: {
			...made,
			...role,
			emailVerified: true,
			createdAt: new Date(),
			updatedAt: new Date(),
			...fields,
			name: `${mark}_user_name`,
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
	if (account) rows.set("account", account as unknown as Row);
	const side = { ...tenant, userId, email, password, rows, prepared: {} };
	return { ...side, ...(await makeSession(ctx, userId, rows)) };
}

async function makeSession(ctx: Host["ctx"], userId: string, rows: Map<string, Row>) {
	const session = await ctx.internalAdapter.createSession(userId);
	rows.set("session", session as unknown as Row);
	const { name } = ctx.authCookies.sessionToken;
	const cookie = await serializeSignedCookie(name, session.token, ctx.secret);
	return {
		sessionToken: session.token,
		sessionId: session.id,
		cookie: String(cookie.split(";")[0]),
	};
}

/** Gives a side back its user and session where calls of its own have ended them. */
export async function restoreSide(
	host: Host,
	side: Side,
	work: <T>(it: () => Promise<T>) => Promise<T>,
) {
	const { ctx } = host;
	const found = await acrossTenants(() => ctx.internalAdapter.findSession(side.sessionToken));
	if (found) return;
	await work(async () => {
		const user = await ctx.adapter.findOne<Row>({
			model: "user",
			where: [{ field: "id", value: side.userId }],
		});
		if (user) {
			Object.assign(side, await makeSession(ctx, side.userId, side.rows));
			return;
		}
		const taken = await ctx.internalAdapter.findUserByEmail(side.email);
		if (taken) await ctx.internalAdapter.deleteUser(taken.user.id);
		const mark = Math.random().toString(36).slice(2, 8);
		const remade = await makeUser(host, side, mark, side, {});
		for (const [model, row] of side.rows) if (!remade.rows.has(model)) remade.rows.set(model, row);
		Object.assign(side, { ...remade, prepared: side.prepared });
	});
}

/** Every row that is the tenant's, as text by model and id. */
export async function snapshot(host: Host, side: Side): Promise<Map<string, string>> {
	const { ctx } = host;
	return runAcrossTenants(async () => {
		const rows = new Map<string, string>();
		for (const model of host.tenantModels) {
			for (const row of await rowsOf(host, model, side)) {
				rows.set(`${model} ${String(row.id)}`, JSON.stringify(row));
			}
		}
		const session = await ctx.internalAdapter.findSession(side.sessionToken);
		rows.set("the browser's session", JSON.stringify(session?.session ?? null));
		return rows;
	});
}

/**
 * A session or an account that was made elsewhere for A's user counts as A's. Of other plugins'
 * tables only A's own rows do: those of B may point wherever they want, A never sees them.
 */
async function rowsOf({ ctx, hasColumn }: Host, model: string, side: Side): Promise<Row[]> {
	const find = <T = Row>(from: string, where: Where[]) =>
		ctx.adapter.findMany<T>({ model: from, where, limit: 1000 });
	const isTenants: Where = { field: "tenantId", value: side.id };
	if (hasColumn(model)) {
		const own = await find(model, [isTenants]);
		const isUsers: Where = { field: "userId", value: side.userId };
		return ctx.tables[model]?.fields.userId ? [...own, ...(await find(model, [isUsers]))] : own;
	}
	const notes = await find<{ rowId: string }>("tenantRow", [
		isTenants,
		{ field: "model", value: model },
	]);
	if (notes.length === 0) return [];
	return find(model, [{ field: "id", operator: "in", value: notes.map(({ rowId }) => rowId) }]);
}

export async function removeTenantSide({ auth }: Host, side: Side): Promise<void> {
	await (auth.api as ServerApi).deleteTenant({ body: { tenantId: side.id } });
}
