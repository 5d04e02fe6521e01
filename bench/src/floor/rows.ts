import type { Row } from "./prepared";

/** Fields in the order of Better Auth's response. SQLite has dates as texts and booleans as numbers. */
export const sessionOf = (row: Row) => ({
	expiresAt: row.expiresAt,
	token: row.token,
	createdAt: row.createdAt,
	updatedAt: row.updatedAt,
	ipAddress: row.ipAddress,
	userAgent: row.userAgent,
	userId: row.userId,
	tenantId: row.tenantId,
	tenantImpersonator: row.tenantImpersonator ?? null,
	id: row.id,
});

export const userOf = (row: Row) => ({
	name: row.name,
	email: row.email,
	emailVerified: Boolean(row.emailVerified),
	image: row.image,
	createdAt: row.createdAt,
	updatedAt: row.updatedAt,
	tenantId: row.tenantId,
	tenantRole: row.tenantRole,
	disabledAt: row.disabledAt,
	id: row.id,
});

const USER_FIELDS = Object.keys(userOf({}));
const TENANT_FIELDS = ["id", "erasingSince", "suspendedAt", "policy"];

/** The columns of a joined table, under names that no other table has. */
const columnsOf = (table: string, fields: string[]) =>
	fields.map((name) => `${table}."${name}" as "${table}_${name}"`).join(", ");

const joinedOf =
	(table: string, fields: string[]) =>
	(row: Row): Row =>
		Object.fromEntries(fields.map((name) => [name, row[`${table}_${name}`]]));

/** Of a user `u`. */
export const USER_COLUMNS = columnsOf("u", USER_FIELDS);
export const joinedUserOf = joinedOf("u", USER_FIELDS);

/** Of a tenant `t`. */
export const TENANT_COLUMNS = columnsOf("t", TENANT_FIELDS);
export const joinedTenantOf = joinedOf("t", TENANT_FIELDS);

/** What the gate checks. */
export const isOpen = (tenant: Row | undefined) =>
	Boolean(tenant && !tenant.erasingSince && !tenant.suspendedAt);

/** A date of either database, in milliseconds. */
export const timeOf = (value: unknown) => new Date(value as string | Date).getTime();
