import Database from "libsql";

const day = 24 * 60 * 60_000;

/** Spreads the new rows over the last weeks, and sets IP addresses and browsers. */
export function backdate(
	file: string,
	{ tenantId, userId }: { tenantId: string; userId: string },
): void {
	const database = new Database(file);
	const now = Date.now();
	const before = (days: number) => new Date(now - days * day).toISOString();
	const spread = (table: string, change: (index: number) => Record<string, unknown>) => {
		const rows = database.prepare(`select id from "${table}" order by createdAt, rowid`).all();
		for (const [index, { id }] of (rows as { id: string }[]).entries()) {
			const changes = Object.entries(change(rows.length - index));
			const set = changes.map(([name]) => `"${name}" = ?`).join(", ");
			const values = changes.map(([, value]) => value);
			database.prepare(`update "${table}" set ${set} where id = ?`).run(...values, id);
		}
	};
	spread("tenant", (age) => ({ createdAt: before(age * 17.3), updatedAt: before(age * 3.1) }));
	spread("user", (age) => ({
		createdAt: before(age * 6.7),
		emailVerified: age % 4 === 0 ? 0 : 1,
	}));
	spread("session", (age) => ({
		createdAt: before(age * 0.37),
		ipAddress: `203.0.113.${20 + age * 7}`,
	}));
	spread("tenantAuditEvent", (age) => ({
		createdAt: before(age * 0.61),
		ipAddress: `198.51.100.${age}`,
		userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/131.0.0.0 Safari/537.36",
	}));
	database
		.prepare(
			`update "tenantOauthConfig" set failedAt = ?, failure = 'invalid_client' where providerId = 'gitlab'`,
		)
		.run(before(0.2));
	database
		.prepare(
			`insert into account (id, accountId, providerId, userId, createdAt, updatedAt, tenantId) values ('linked', '10358294', 'github', ?, ?, ?, ?)`,
		)
		.run(userId, before(20), before(20), tenantId);
	addUsersOfOtherTenants(database, tenantId, before);
	for (let age = 0; age < 60; age += 1) {
		const weekday = new Date(now - age * day).getUTCDay();
		const busy = (weekday % 6 === 0 ? 0.35 : 1) * (1 - age * 0.009);
		const wave = 1 + 0.18 * Math.sin(age * 1.7);
		const count = database.prepare(
			"insert or replace into service_daily_count (day, what, count) values (?, ?, ?)",
		);
		const on = before(age).slice(0, 10);
		count.run(on, "sign-in", Math.round(1840 * busy * wave));
		count.run(on, "sign-in-failed", Math.round(64 * busy * (age === 9 ? 4.2 : wave)));
		count.run(on, "sign-up", Math.round(38 * busy * (2 - wave)));
	}
	addTenantDays(database, before);
	database.close();
}

/** The overview names the tenants that fail, and the slow ones. */
function addTenantDays(database: Database.Database, before: (days: number) => string): void {
	const tenants = database.prepare("select id from tenant order by createdAt").all();
	const add = database.prepare(
		"insert or replace into service_tenant_day (day, tenant, sign_ins, failures, errors, requests, milliseconds) values (?, ?, ?, ?, ?, ?, ?)",
	);
	for (let age = 0; age < 30; age += 1) {
		for (const [index, { id }] of (tenants as { id: string }[]).entries()) {
			const requests = 2400 - index * 190;
			const [signIns, failures] = [requests / 8, index === 2 ? 31 : 9 - index];
			const counts = [signIns, Math.max(0, failures), index === 4 ? 3 : 0, requests].map(
				Math.round,
			);
			add.run(before(age).slice(0, 10), id, ...counts, requests * (38 + ((index * 53) % 190)));
		}
	}
}

/** The overview counts them. */
function addUsersOfOtherTenants(
	database: Database.Database,
	tenantId: string,
	before: (days: number) => string,
): void {
	const others = database.prepare("select id from tenant where id <> ?").all(tenantId);
	const add = database.prepare(
		`insert into user (id, name, email, emailVerified, createdAt, updatedAt, tenantId) values (?, ?, ?, 1, ?, ?, ?)`,
	);
	for (let number = 0; number < 4268; number += 1) {
		const { id } = others[number % others.length] as { id: string };
		const name = `user-${number}`;
		add.run(name, name, `${name}@example.com`, before(40), before(40), id);
	}
}
