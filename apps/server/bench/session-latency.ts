/**
 * Measures how long it takes to read a session while four clients sign up, with Kysely's own SQLite
 * dialect and with ours: `npm run bench -w better-auth-tenant-server`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, SqliteDialect } from "kysely";
import Libsql from "libsql";
import { authOptions, clientIpHeader, createAuth } from "../src/auth";
import { migrate } from "../src/database/migrate";
import { type AuthDatabase, openSqlite } from "../src/database/open-database";
import { createMailer } from "../src/email/mailer";
import { createLog } from "../src/monitoring/log";
import { loadSecrets } from "../src/settings/generated-secrets";
import { serviceConfig } from "../src/settings/service-config";
import { readSettings } from "../src/settings/settings";

const managementKey = "management-key-for-the-bench";
const clients = 4;
const signUpsPerClient = 10;

const stock = await measure((directory) => {
	const connection = new Libsql(join(directory, "auth.db"));
	connection.exec("PRAGMA busy_timeout = 5000");
	connection.prepare("PRAGMA journal_mode = WAL").all();
	const dialect = new SqliteDialect({ database: connection });
	return { db: new Kysely({ dialect }), type: "sqlite", transaction: true };
});
const ours = await measure((directory) => {
	const file = join(directory, "auth.db");
	const db = openSqlite({ type: "sqlite", file, isDefault: true });
	return { db, type: "sqlite", transaction: true };
});
console.log(`get-session in ms, alone and while ${clients} clients sign up`);
console.table({ "Kysely's SqliteDialect": stock, ReadWriteDialect: ours });

async function measure(open: (directory: string) => AuthDatabase) {
	const directory = mkdtempSync(join(tmpdir(), "session-latency-"));
	const database = open(directory);
	try {
		return await measureOn(database);
	} finally {
		await database.db.destroy();
		rmSync(directory, { recursive: true });
	}
}

async function measureOn(database: AuthDatabase) {
	const client = await connect(database);
	const alone: number[] = [];
	while (alone.length < 100) alone.push(await client.readSession());

	const busy: number[] = [];
	const startedAt = performance.now();
	let signingUp = true;
	const signUps = Promise.all(Array.from({ length: clients }, client.signUpSeveral)).finally(() => {
		signingUp = false;
	});
	while (signingUp) {
		await sleep(10);
		busy.push(await client.readSession());
	}
	await signUps;
	const seconds = (performance.now() - startedAt) / 1000;
	return {
		alone: percentile(alone, 50),
		median: percentile(busy, 50),
		p95: percentile(busy, 95),
		max: percentile(busy, 100),
		"sign-ups per s": round((clients * signUpsPerClient) / seconds),
	};
}

/** The server in this process. Each request has its own IP address, because of the rate limit. */
async function connect(database: AuthDatabase) {
	const settings = readSettings(
		{
			BETTER_AUTH_SECRET: "s8Kd0-Qm2Zx7Vb4Ny1Lw6Rt3Pj9Hc5Gf",
			MANAGEMENT_KEYS: managementKey,
			LOG_LEVEL: "error",
		},
		tmpdir(),
	);
	const config = serviceConfig(settings, loadSecrets(settings), 3000);
	const log = createLog({ level: settings.logLevel, secrets: [] });
	const mailer = createMailer(settings.email, log, () => {});
	const parts = { database, redis: null, mailer, log };
	await migrate(authOptions(config, parts), database);
	const auth = createAuth(config, parts);
	let calls = 0;
	const call = async (path: string, headers: Record<string, string>, body?: object) => {
		const ip = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls++ & 255}`;
		const all = { ...headers, [clientIpHeader]: ip };
		const init = body
			? {
					method: "POST",
					body: JSON.stringify(body),
					headers: { "content-type": "application/json", ...all },
				}
			: { headers: all };
		const response = await auth.handler(new Request(`${config.baseUrl}/api/auth${path}`, init));
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return response;
	};
	const authorization = `Bearer ${managementKey}`;
	const created = await call("/tenant/create", { authorization }, { name: "Acme", slug: "acme" });
	const tenant = { "x-tenant-id": ((await created.json()) as { id: string }).id };
	const signUp = () =>
		call("/tenant/sign-up/email", tenant, {
			name: "Ada",
			email: `user-${calls}@example.com`,
			password: "correct horse battery",
		});
	const cookies = (await signUp()).headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
	return {
		readSession: async () => {
			const startedAt = performance.now();
			await call("/get-session", { cookie: cookies.join("; ") });
			return performance.now() - startedAt;
		},
		signUpSeveral: async () => {
			for (let i = 0; i < signUpsPerClient; i++) await signUp();
		},
	};
}

function percentile(values: number[], percent: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return round(sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN);
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
