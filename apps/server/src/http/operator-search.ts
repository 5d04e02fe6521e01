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

/** Among so many of the newest users, a text is also found in the middle of an email or a name. */
const SEARCHED_USERS = 10_000;

const MIN_TEXT_LENGTH = 2;
const MAX_TEXT_LENGTH = 200;

/** One letter would match nearly everybody. PostgreSQL rejects NUL. */
export const isSearchable = (text: string): boolean =>
	text.length >= MIN_TEXT_LENGTH && text.length <= MAX_TEXT_LENGTH && !text.includes("\0");

/**
 * Finds users of all tenants: by the beginning of their email or name, and the newest ones by a part of
 * them. It returns 20 at most. Whatever the text is, it reads a limited number of users.
 */
export async function searchUsers(
	backend: Pick<Backend, "auth">,
	text: string,
	{ searchedUsers = SEARCHED_USERS } = {},
): Promise<{ users: FoundUser[]; isLimited: boolean }> {
	const wanted = text.toLowerCase();
	const { found, isLimited } = await runAcrossTenants(async () => {
		const beginning = [
			...(await findByEmail(backend, wanted)),
			...(await findByBeginning(backend, "email", wanted)),
		];
		for (const form of formsOf(text)) {
			beginning.push(...(await findByBeginning(backend, "name", form)));
		}
		const newest = await findAmongNewest(backend, text, searchedUsers);
		return { found: [...beginning, ...newest.rows], isLimited: newest.isLimited };
	});
	const users = [...new Map(found.map((row) => [row.id, row])).values()]
		// Operators are users of no tenant.
		.filter(({ tenantId }) => Boolean(tenantId))
		.filter((row) => `${row.email}\n${row.name}`.toLowerCase().includes(wanted))
		.slice(0, MAX_FOUND);
	const tenants = await findTenants(
		backend,
		users.map(({ tenantId }) => tenantId),
	);
	return {
		users: users.map(({ id, name, email, tenantId }) => ({
			id,
			name,
			email,
			tenant: tenants.get(tenantId ?? "") ?? null,
		})),
		isLimited,
	};
}

const findByEmail = async ({ auth }: Pick<Backend, "auth">, email: string): Promise<UserRow[]> => {
	const { adapter } = await auth.$context;
	const where = [{ field: "email", value: email }];
	return adapter.findMany<UserRow>({ model: "user", where, limit: MAX_READ });
};

/**
 * From the index of emails, or of names. Not by LIKE: PostgreSQL and SQLite would not use the index. A
 * collation may have other texts among these.
 */
async function findByBeginning(
	{ auth }: Pick<Backend, "auth">,
	field: "email" | "name",
	text: string,
): Promise<UserRow[]> {
	const { adapter } = await auth.$context;
	const end = endOfRange(text);
	const rows = await adapter.findMany<UserRow>({
		model: "user",
		where: [
			{ field, operator: "gte", value: text },
			...(end ? [{ field, operator: "lt" as const, value: end }] : []),
		],
		sortBy: { field, direction: "asc" },
		limit: MAX_READ,
	});
	return rows.filter((row) => row[field].toLowerCase().startsWith(text.toLowerCase()));
}

/**
 * A text that comes after all texts that begin with this one. Letters and digits have the same order in most
 * collations, other characters do not.
 */
function endOfRange(text: string): string | null {
	const begin = /^[a-z\d]+/i.exec(text)?.[0].replace(/z+$/i, "");
	const last = begin?.at(-1);
	if (!begin || !last) return null;
	const next = last === "9" ? "a" : String.fromCharCode(last.charCodeAt(0) + 1);
	return begin.slice(0, -1) + next;
}

/** No index finds a text in the middle of a column. So only the newest users are read. */
async function findAmongNewest(
	{ auth }: Pick<Backend, "auth">,
	text: string,
	searchedUsers: number,
): Promise<{ rows: UserRow[]; isLimited: boolean }> {
	const { adapter } = await auth.$context;
	const sortBy = { field: "createdAt", direction: "desc" } as const;
	const [oldest] = await adapter.findMany<{ createdAt: Date }>({
		model: "user",
		select: ["createdAt"],
		sortBy,
		limit: 1,
		offset: searchedUsers,
	});
	const contains = { operator: "contains", connector: "OR" } as const;
	const rows = await adapter.findMany<UserRow>({
		model: "user",
		where: [
			...(oldest ? [{ field: "createdAt", operator: "gt" as const, value: oldest.createdAt }] : []),
			{ ...contains, field: "email", value: text.toLowerCase() },
			...formsOf(text).map((value) => ({ ...contains, field: "name", value })),
		],
		sortBy,
		limit: MAX_READ,
	});
	return { rows, isLimited: oldest !== undefined };
}

/**
 * As the operator wrote it, in lowercase, and as names are written. An index of PostgreSQL and SQLite tells
 * them apart, and to look for a part, PostgreSQL is four times faster if it need not ignore the case. Emails are stored
 * in lowercase.
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
export async function withNames<Event extends AuditEvent>(
	backend: Pick<Backend, "auth">,
	events: Event[],
) {
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

export const findTenants = (backend: Pick<Backend, "auth">, ids: MaybeId[]) =>
	findByIds<TenantRow>(backend, "tenant", ids, ({ id, name }) => ({ id, name }));

const findUsers = (backend: Pick<Backend, "auth">, ids: MaybeId[]) =>
	findByIds<UserRow>(backend, "user", ids, (row) => row);

async function findByIds<Row extends { id: string }>(
	{ auth }: Pick<Backend, "auth">,
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
