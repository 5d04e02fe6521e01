import { symmetricEncrypt } from "better-auth/crypto";
import { PROVIDER, type Subject } from "../host/host";
import type { Population } from "./identities";
import * as identities from "./identities";

export type Value = string | number | boolean | Date | null;

export interface SeedTable {
	name: string;
	columns: string[];
	/** How many rows it gets. */
	count: number;
	/** The primary key of a row, which is its first column. */
	id(n: number): string;
	row(n: number): Value[] | Promise<Value[]>;
}

interface UserTable extends SeedTable {
	row(n: number): Value[];
}

export interface SeedSettings extends Population {
	subject: Subject;
	/** What is stored of {@link identities.PASSWORD}. */
	passwordHash: string;
	/** What credentials are sealed with. */
	sealingKey: string;
}

/** The tables of a seeded database, in an order that foreign keys allow. */
export function seedTables(settings: SeedSettings): SeedTable[] {
	const users = usersAndWhatIsTheirs(settings);
	return settings.subject === "tenant"
		? [...tenantsAndConfigs(settings), ...users.map((table) => withTenant(table, settings))]
		: users;
}

const now = new Date();
/** Not all at the same time: lists are in this order. */
const earlier = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const inAWeek = new Date(now.getTime() + 7 * 24 * 60 * 60 * 1000);

function tenantsAndConfigs({ tenants: count, sealingKey }: SeedSettings): SeedTable[] {
	const seal = (tenant: number, field: string, value: string) =>
		symmetricEncrypt({
			key: sealingKey,
			data: JSON.stringify([identities.tenantId(tenant), PROVIDER, field, value]),
		});
	return [
		{
			name: "tenant",
			id: identities.tenantId,
			columns: ["id", "name", "slug", "createdAt", "updatedAt"],
			count,
			row: (n) => [
				identities.tenantId(n),
				`Tenant ${n}`,
				identities.slugOf(n),
				earlier(count - n),
				now,
			],
		},
		{
			name: "tenantOauthConfig",
			id: identities.configId,
			columns: [
				...["id", "tenantId", "providerId", "clientId", "clientSecret"],
				...["enabled", "createdAt", "updatedAt"],
			],
			count,
			row: async (n) => [
				identities.configId(n),
				identities.tenantId(n),
				PROVIDER,
				await seal(n, "clientId", identities.clientIdOf(n)),
				await seal(n, "clientSecret", `secret-of-tenant-${n}`),
				true,
				now,
				now,
			],
		},
	];
}

/** One account with a password and one session for each user; every tenth began something by mail. */
function usersAndWhatIsTheirs(settings: SeedSettings): UserTable[] {
	const { users: count, passwordHash } = settings;
	const { userId, accountId, sessionId, sessionToken, emailOf, verificationId, verificationToken } =
		identities;
	return [
		{
			name: "user",
			id: userId,
			columns: ["id", "name", "email", "emailVerified", "createdAt", "updatedAt"],
			count,
			row: (n) => [userId(n), `Person ${n}`, emailOf(n, settings), false, earlier(count - n), now],
		},
		{
			name: "account",
			id: accountId,
			columns: [
				...["id", "accountId", "providerId", "userId"],
				...["password", "createdAt", "updatedAt"],
			],
			count,
			row: (n) => [accountId(n), userId(n), "credential", userId(n), passwordHash, now, now],
		},
		{
			name: "session",
			id: sessionId,
			columns: [
				...["id", "token", "userId", "expiresAt"],
				...["ipAddress", "userAgent", "createdAt", "updatedAt"],
			],
			count,
			row: (n) => [sessionId(n), sessionToken(n), userId(n), inAWeek, "", "", now, now],
		},
		{
			name: "verification",
			id: verificationId,
			columns: ["id", "identifier", "value", "expiresAt", "createdAt", "updatedAt"],
			count: Math.ceil(count / 10),
			row: (n) => [verificationId(n), verificationToken(n), "unused", inAWeek, now, now],
		},
	];
}

function withTenant(table: UserTable, settings: SeedSettings): SeedTable {
	return {
		...table,
		columns: [...table.columns, "tenantId"],
		row: (n) => [...table.row(n), identities.tenantId(identities.tenantOf(n, settings))],
	};
}
