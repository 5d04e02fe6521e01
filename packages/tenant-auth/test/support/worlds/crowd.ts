import { sql } from "kysely";
import type { HostDatabase } from "./instance";

const TABLES = [
	...["tenant", "tenantOauthConfig", "user", "account", "session", "verification"],
	...["tenantSignIn", "tenantWebhookDelivery", "tenantImportedUser", "tenantFormerSlug"],
];
const AT_ONCE = 250;

/**
 * Fills a database until a planner has reason to use its indexes: many small tenants, and one of many
 * users, whose rows are no small part of each table.
 */
export async function addCrowd({ db, type }: HostDatabase, largeTenant: string): Promise<void> {
	const written = (date: Date) => (type === "sqlite" ? date.toISOString() : date);
	const now = new Date();
	const dates = { createdAt: written(now), updatedAt: written(now) };
	const expiresAt = written(inAnHour());
	/** People come one after the other. */
	const datesOf = (n: number) => ({
		...dates,
		createdAt: written(new Date(now.getTime() - (n + 1) * 1000)),
	});
	const yes = type === "sqlite" ? 1 : true;
	const tenantOf = (n: number) => (n % 2 === 0 ? largeTenant : `crowd-tenant-${n}`);
	const mine = (n: number) => ({ userId: `crowd-user-${n}`, tenantId: tenantOf(n), ...datesOf(n) });

	const rowsOf: Record<string, (n: number) => Record<string, unknown>> = {
		tenant: (n) => ({
			id: `crowd-tenant-${n}`,
			name: `Crowd ${n}`,
			slug: `crowd-${n}`,
			...dates,
		}),
		tenantOauthConfig: (n) => ({
			id: `crowd-config-${n}`,
			tenantId: `crowd-tenant-${n}`,
			providerId: "gitlab",
			clientId: "sealed",
			clientSecret: "sealed",
			enabled: yes,
			...dates,
		}),
		user: (n) => ({
			id: `crowd-user-${n}`,
			name: "One of many",
			email: `crowd-${n}@example.com`,
			emailVerified: yes,
			tenantId: tenantOf(n),
			...datesOf(n),
		}),
		account: (n) => ({
			id: `crowd-account-${n}`,
			accountId: `crowd-user-${n}`,
			providerId: "credential",
			...mine(n),
		}),
		session: (n) => ({
			id: `crowd-session-${n}`,
			token: `crowd-token-${n}`,
			expiresAt,
			...mine(n),
		}),
		verification: (n) => ({
			id: `crowd-verification-${n}`,
			identifier: `crowd-identifier-${n}`,
			value: "unused",
			expiresAt,
			// Some belong to the platform.
			tenantId: n % 3 === 0 ? "" : tenantOf(n),
			...dates,
		}),
		tenantSignIn: (n) => ({
			id: `crowd-sign-in-${n}`,
			tenantId: tenantOf(n),
			expiresAt,
			createdAt: datesOf(n).createdAt,
			userId: `crowd-user-${n}`,
			emailDigest: `crowd-digest-${n}`,
			result: "succeeded",
			attempts: 1,
		}),
		tenantWebhookDelivery: (n) => ({
			id: `crowd-delivery-${n}`,
			tenantId: tenantOf(n),
			webhookId: `crowd-webhook-${n}`,
			eventId: `crowd-event-${n}`,
			eventType: "user.created",
			payload: "{}",
			state: "delivered",
			attempts: 1,
			createdAt: datesOf(n).createdAt,
			nextAttemptAt: datesOf(n).createdAt,
		}),
		tenantImportedUser: (n) => ({
			id: `crowd-import-${n}`,
			tenantId: tenantOf(n),
			externalId: `crowd-external-${n}`,
			userId: `crowd-user-${n}`,
		}),
		tenantFormerSlug: (n) => ({
			id: `crowd-slug-${n}`,
			slug: `crowd-former-slug-${n}`,
			tenantId: tenantOf(n),
			createdAt: datesOf(n).createdAt,
		}),
	};
	for (const table of TABLES) {
		const rows = Array.from({ length: 2000 }, (_, n) => rowsOf[table]?.(n) ?? {});
		for (let start = 0; start < rows.length; start += AT_ONCE) {
			await db
				.insertInto(table)
				.values(rows.slice(start, start + AT_ONCE))
				.execute();
		}
	}
	// An SQLite database knows of its rows only if somebody asks it to: most hosts do not.
	if (type === "postgres") await sql`analyze`.execute(db);
	if (type === "mysql")
		for (const it of TABLES) await sql`analyze table ${sql.table(it)}`.execute(db);
}

const inAnHour = () => new Date(Date.now() + 60 * 60 * 1000);
