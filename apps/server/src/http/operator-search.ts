import { runAcrossTenants } from "better-auth-tenant";
import type { Backend } from "../auth";

type UserRow = { id: string; name: string; email: string; tenantId?: string | null };
type TenantRow = { id: string; name: string };

/** A user of any tenant. */
type FoundUser = {
	id: string;
	name: string;
	email: string;
	tenant: TenantRow | null;
};

const MAX_FOUND = 20;

/** LIKE finds more than the text if it contains `%` or `_`. Those rows are removed afterwards. */
const MAX_READ = 5 * MAX_FOUND;

const SHORTEST = 2;
const LONGEST = 200;

/** One letter would match nearly everybody. PostgreSQL rejects NUL. */
export const isSearchable = (text: string): boolean =>
	text.length >= SHORTEST && text.length <= LONGEST && !text.includes("\0");

/** Finds users of all tenants by a part of their email or name. It returns 20 at most. */
export async function searchUsers(backend: Backend, text: string): Promise<FoundUser[]> {
	const { adapter } = await backend.auth.$context;
	const contains = { operator: "contains", connector: "OR" } as const;
	const rows = await runAcrossTenants(() =>
		adapter.findMany<UserRow>({
			model: "user",
			where: [
				{ ...contains, field: "email", value: text.toLowerCase() },
				...formsOf(text).map((value) => ({ ...contains, field: "name", value })),
			],
			limit: MAX_READ,
		}),
	);
	const wanted = text.toLowerCase();
	const found = rows
		// Operators are users of no tenant.
		.filter(({ tenantId }) => Boolean(tenantId))
		.filter((row) => `${row.email}\n${row.name}`.toLowerCase().includes(wanted))
		.slice(0, MAX_FOUND);
	const tenants = await findTenants(
		backend,
		found.map(({ tenantId }) => tenantId),
	);
	return found.map(({ id, name, email, tenantId }) => ({
		id,
		name,
		email,
		tenant: tenants.get(tenantId ?? "") ?? null,
	}));
}

/**
 * As names are written. No index helps with a text in the middle, so all users are read. PostgreSQL does
 * that four times faster if it need not ignore the case. Emails are stored in lowercase.
 */
function formsOf(text: string): string[] {
	const lower = text.toLowerCase();
	const capitalized = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
	return [...new Set([text, lower, capitalized])];
}

/** The fields of an audit event that name something. */
export type AuditEvent = {
	tenantId: string | null;
	targetId: string | null;
	actor: { id: string | null };
};

/** Adds names to audit events, so that a page needs no further calls. */
export async function withNames<Event extends AuditEvent>(backend: Backend, events: Event[]) {
	const tenants = await findTenants(
		backend,
		events.map(({ tenantId }) => tenantId),
	);
	const users = await findUsers(
		backend,
		events.flatMap(({ targetId, actor }) => [targetId, actor.id]),
	);
	return events.map((event) => ({
		...event,
		tenantName: tenants.get(event.tenantId ?? "")?.name ?? null,
		targetEmail: users.get(event.targetId ?? "")?.email ?? null,
		actorEmail: users.get(event.actor.id ?? "")?.email ?? null,
	}));
}

type MaybeId = string | null | undefined;

const findTenants = (backend: Backend, ids: MaybeId[]) =>
	findByIds<TenantRow>(backend, "tenant", ids, ({ id, name }) => ({ id, name }));

const findUsers = (backend: Backend, ids: MaybeId[]) =>
	findByIds<UserRow>(backend, "user", ids, (row) => row);

async function findByIds<Row extends { id: string }>(
	{ auth }: Backend,
	model: string,
	ids: MaybeId[],
	pick: (row: Row) => Row,
): Promise<Map<string, Row>> {
	const wanted = [...new Set(ids.flatMap((id) => id || []))];
	if (wanted.length === 0) return new Map();
	const { adapter } = await auth.$context;
	const rows = await runAcrossTenants(() =>
		adapter.findMany<Row>({
			model,
			where: [{ field: "id", operator: "in", value: wanted }],
			limit: wanted.length,
		}),
	);
	return new Map(rows.map((row) => [row.id, pick(row)]));
}
