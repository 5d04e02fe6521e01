import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { type AnyAuth, requireInstance } from "../../call/context/current-state";
import {
	findTenantRow,
	scopeOf,
	type TenantRow,
	type TenantScope,
} from "../../call/context/tenant";
import type { Row } from "../../isolation/raw-adapter";
import { idOf } from "../../isolation/row-owners";
import { recordAuditEvent } from "../../management/audit/audit-store";
import {
	type EarlierRuns,
	findAdopted,
	findEarlierRuns,
	findListConflicts,
	idFrom,
	type NamedTenant,
	type OwnTenant,
	type TenantConflict,
	tenantConflict,
	withNames,
} from "./adopted-tenants";
import type { MoveConflict } from "./conflicts";
import { createTenantIn } from "./create-tenant";
import { importError } from "./import-error";
import { finishMove, type Moving, moveInTransaction } from "./move";
import { ON_PLATFORM, type OwnedRows, type Reading, textOf } from "./owned-rows";
import { runMove } from "./transaction";

export interface AdoptTenantsOptions {
	/**
	 * The field of the user that says its tenant. It is one of `user.additionalFields`, by the name that it
	 * has there or by its column.
	 */
	field: string;
	/**
	 * The tenants of your app. Each `id` is the value that its users have in the field. The tenant gets the
	 * same id if it can: see `AdoptedTenant`.
	 *
	 * @default one for each value of the field
	 */
	tenants?: readonly { id: string | number; name?: string | null; slug?: string | null }[];
	/**
	 * Reports what would happen, and changes nothing.
	 *
	 * @default false
	 */
	dryRun?: boolean;
}

export interface AdoptedTenant {
	/** What its users have in the field. */
	value: string;
	/**
	 * The id of the tenant: the value, if it can be an id. `null` in a dry run, if the database or Better
	 * Auth chooses it.
	 */
	id: string | null;
	name: string;
	slug: string;
	/** Whether an earlier run has not created it. */
	isNew: boolean;
	/** How many users move into it. */
	users: number;
}

export type AdoptConflict = (MoveConflict & { value: string }) | TenantConflict;

export interface AdoptTenantsReport {
	isDryRun: boolean;
	tenants: AdoptedTenant[];
	/** How many rows of each table move, the users among them. */
	rows: Record<string, number>;
	/** Users of the platform who have no value. They stay there. */
	staying: number;
	/** Why nothing can be adopted. Empty unless it is a dry run. */
	conflicts: AdoptConflict[];
}

/**
 * Takes over tenants that your app has made itself with a column of the user: creates the tenants, and moves
 * each user of the platform into the tenant that the column says, with everything that belongs to the user.
 * Users without a value stay on the platform. The column stays as it is.
 *
 * Everything happens in one transaction, or nothing. Repeat it as you like.
 *
 * @throws APIError `MOVE_REFUSED` with `conflicts`, `TRANSACTION_REQUIRED`, …
 * @example
 * ```ts
 * const plan = await adoptTenants(auth, { field: "customerId", dryRun: true });
 * ```
 */
export async function adoptTenants(
	auth: AnyAuth,
	{ field, tenants, dryRun = false }: AdoptTenantsOptions,
): Promise<AdoptTenantsReport> {
	const context = (await auth.$context) as AuthContext;
	const { options, features } = requireInstance(context);
	if (!features.actions.has("user:move")) {
		throw new BetterAuthError("adoptTenants() needs the plugin tenantImports()");
	}
	const moving: Moving = { context, options, record: recorder(context) };
	const ownField = requireOwnField(context, field);
	const given = tenants?.map(({ id, name, slug }) => ({
		value: String(id),
		name: name ?? undefined,
		slug: slug ?? undefined,
	}));
	const done = await runMove(context, dryRun, (reading) =>
		adoptInTransaction(moving, reading, ownField, given),
	);
	if (!dryRun) {
		if (done.conflicts.length > 0) {
			throw importError("MOVE_REFUSED", { detail: { conflicts: done.conflicts } });
		}
		for (const { scope, rows } of done.moved) await finishMove(context, scope, rows);
	}
	const { moved: _, ...report } = done;
	const shown = report.tenants.map((tenant) => {
		const isMadeUp = dryRun && tenant.isNew && tenant.id !== tenant.value;
		return isMadeUp ? { ...tenant, id: null } : tenant;
	});
	return { isDryRun: dryRun, ...report, tenants: shown };
}

/** Outside of calls, an event would read the row of its tenant again for each user. */
function recorder(context: AuthContext): Moving["record"] {
	let last: TenantRow | null = null;
	return async (entry) => {
		const { tenantId } = entry;
		if (last?.id !== tenantId) last = await findTenantRow(context, "id", tenantId);
		const known = last ? { ...entry, tenant: last } : entry;
		await recordAuditEvent({ context }, known, { kind: "server", id: null });
	};
}

/** The field as the code calls it. People know the name of the column better. */
function requireOwnField({ tables }: AuthContext, wanted: string): string {
	const fields = Object.entries(tables.user?.fields ?? {});
	const found =
		fields.find(([name]) => name === wanted && name !== "tenantId") ??
		fields.find(([name, { fieldName }]) => fieldName === wanted && name !== "tenantId");
	if (found) return requireProtected(...found);
	throw new BetterAuthError(
		`adoptTenants: the user has no field ${JSON.stringify(wanted)} of your own. Declare your column: user: { additionalFields: { customerId: { type: "string", required: false, input: false, fieldName: ${JSON.stringify(wanted)} } } }${wanted === "tenantId" ? ', and rename the plugin\'s: tenantAuth({ schema: { user: { fields: { tenantId: "authTenantId" } } } })' : ""}`,
	);
}

/** Otherwise a sign-up or an update of the own user could choose the tenant. */
function requireProtected(name: string, { input }: { input?: boolean | undefined }): string {
	if (input === false) return name;
	throw new BetterAuthError(
		`adoptTenants: users can write the field ${name} themselves, and so choose their tenant. Declare it as ${name}: { …, input: false }, and check its values.`,
	);
}

interface Adoption extends Omit<AdoptTenantsReport, "isDryRun"> {
	/** For the secondary storage. Without one, the rows of one tenant at a time are in memory. */
	moved: { scope: TenantScope; rows: OwnedRows }[];
}

async function adoptInTransaction(
	moving: Moving,
	reading: Reading,
	field: string,
	given: readonly OwnTenant[] | undefined,
): Promise<Adoption> {
	const { groups, staying } = await groupUsers(reading, field);
	const named = (given ?? [...groups.keys()].sort().map((value) => ({ value }))).map(withNames);
	const adoption: Adoption = {
		tenants: [],
		rows: {},
		staying,
		conflicts: [...findListConflicts(named, moving.options), ...findUnknown(groups, named)],
		moved: [],
	};
	// A tenant that cannot be created would end the transaction on PostgreSQL.
	if (adoption.conflicts.length > 0) return adoption;
	const hasOtherIds = named.some(({ value }) => idFrom(moving.context, value) === undefined);
	const runs: EarlierRuns = hasOtherIds ? await findEarlierRuns(reading) : new Map();
	for (const tenant of named) {
		const earlier = await findAdopted(reading, tenant, runs);
		if (earlier && "code" in earlier) adoption.conflicts.push(earlier);
		else {
			const userIds = groups.get(tenant.value) ?? [];
			await adoptOne(moving, reading, { ...tenant, earlier, userIds }, adoption);
		}
	}
	return adoption;
}

const USERS_PER_QUERY = 1000;

/** The ids of the platform's users, by the value of the field. */
async function groupUsers({ raw }: Reading, field: string) {
	const groups = new Map<string, string[]>();
	let staying = 0;
	let last: string | undefined;
	for (;;) {
		const users = await raw.findMany<Row>({
			model: "user",
			where: [
				ON_PLATFORM,
				...(last === undefined ? [] : [{ field: "id", operator: "gt" as const, value: last }]),
			],
			sortBy: { field: "id", direction: "asc" },
			select: ["id", field],
			limit: USERS_PER_QUERY,
		});
		for (const user of users) {
			const value = requireText(user[field] ?? "", field);
			const group = groups.get(value);
			if (value === "") staying += 1;
			else if (group) group.push(idOf(user));
			else groups.set(value, [idOf(user)]);
		}
		if (users.length < USERS_PER_QUERY) return { groups, staying };
		last = idOf(users.at(-1) as Row);
	}
}

/** Any other value would look as if there were none, and the user would stay on the platform. */
function requireText(value: unknown, field: string): string {
	const text = typeof value === "bigint" ? String(value) : textOf(value);
	if (text !== null) return text;
	throw new BetterAuthError(
		`adoptTenants: the field ${field} has values that are neither texts nor numbers. Declare it with the type "string" or "number".`,
	);
}

function findUnknown(
	groups: ReadonlyMap<string, string[]>,
	tenants: readonly NamedTenant[],
): TenantConflict[] {
	const known = new Set(tenants.map(({ value }) => value));
	const unknown = [...groups].filter(([value]) => !known.has(value));
	return unknown.map(([value, users]) =>
		tenantConflict(
			"UNKNOWN_TENANT",
			value,
			`${users.length} ${users.length === 1 ? "user has" : "users have"} this value, but no tenant has`,
		),
	);
}

interface AdoptedOne extends NamedTenant {
	/** The tenant of an earlier run. */
	earlier: TenantRow | null;
	userIds: readonly string[];
}

async function adoptOne(
	moving: Moving,
	reading: Reading,
	{ value, name, slug, earlier, userIds }: AdoptedOne,
	{ tenants, rows, conflicts, moved }: Adoption,
): Promise<void> {
	const id = idFrom(moving.context, value);
	const { scope } = earlier
		? { scope: scopeOf(earlier) }
		: await createTenantIn(moving, { id, name, slug, origin: { adoptedFrom: value } });
	tenants.push({
		value,
		id: scope.tenantId,
		name: earlier?.name ?? name,
		slug: earlier?.slug ?? slug,
		isNew: !earlier,
		users: userIds.length,
	});
	if (userIds.length === 0) return;
	const done = await moveInTransaction(moving, reading, { scope, userIds });
	conflicts.push(...done.conflicts.map((it) => ({ ...it, value })));
	for (const model of done.rows.models()) {
		rows[model] = (rows[model] ?? 0) + done.rows.ids(model).length;
	}
	if (moving.context.options.secondaryStorage) moved.push({ scope, rows: done.rows });
}
