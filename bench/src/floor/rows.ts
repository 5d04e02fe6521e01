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

/** The columns of a joined user `u`, under names that no other table has. */
export const USER_COLUMNS = USER_FIELDS.map((name) => `u."${name}" as "u_${name}"`).join(", ");

export const joinedUserOf = (row: Row): Row =>
	Object.fromEntries(USER_FIELDS.map((name) => [name, row[`u_${name}`]]));

/** What the gate checks. */
export const isOpen = (tenant: Row | undefined) =>
	Boolean(tenant && !tenant.erasingSince && !tenant.suspendedAt);

/** A date of either database, in milliseconds. */
export const timeOf = (value: unknown) => new Date(value as string | Date).getTime();
