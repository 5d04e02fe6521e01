import type { Secrets } from "./generated-secrets";
import type { Log } from "./logs/log";
import type { DatabaseAddress } from "./settings/stores";

export type Started = {
	/** The origin callers see. */
	baseUrl: string;
	/** An origin that reaches the server from this machine, whatever stands in front of it. */
	localUrl: string;
	/** Where users and tenants are. */
	database: DatabaseAddress;
	secrets: Secrets;
};

/**
 * Says that the server is up: to a person, or, in production, as a line of the log. A log is no place
 * for a key, so there a new one is only said to be in its file.
 */
export function announce(started: Started, log: Log): void {
	if (process.stdout.isTTY || process.env.NODE_ENV !== "production") {
		process.stdout.write(`${announcement(started)}\n`);
		return;
	}
	const { localUrl, baseUrl, database, secrets } = started;
	const managementKeys = secrets.fromSettings ? "MANAGEMENT_KEYS" : secrets.file;
	log.info({ localUrl, baseUrl, database: database.type, managementKeys }, "listening");
}

function placeOf(database: DatabaseAddress): string {
	if (database.type === "sqlite") return database.file;
	return `${database.type === "mysql" ? "MySQL" : "PostgreSQL"} at DATABASE_URL`;
}

/** What the server prints when it is up. */
function announcement(started: Started): string {
	return [
		`Listening on   ${started.localUrl}`,
		`Callers use    ${started.baseUrl}`,
		`Console        ${started.baseUrl}/console`,
		`Documentation  ${started.baseUrl}/api/auth/open-api/generate-schema`,
		`Database       ${placeOf(started.database)}`,
		...managementKey(started),
	].join("\n");
}

function managementKey({ localUrl, secrets }: Started): string[] {
	if (secrets.newManagementKey) {
		return firstSteps(`${localUrl}/api/auth/tenant`, secrets.newManagementKey, secrets.file);
	}
	return secrets.fromSettings
		? ["Management     with the keys in MANAGEMENT_KEYS"]
		: [`Management     with the key in ${secrets.file}`];
}

/** Each line stands alone: the second finds the tenant's id by its slug. */
function firstSteps(url: string, key: string, file: string): string[] {
	const bearer = `-H 'Authorization: Bearer ${key}'`;
	const json = "-H 'Content-Type: application/json'";
	const tenant = `'{"name":"Acme","slug":"acme"}'`;
	const user = `'{"name":"Ada","email":"ada@example.com","password":"correct horse battery"}'`;
	const tenantId = `$(curl -sS '${url}/get?slug=acme' ${bearer} | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')`;
	return [
		"",
		"A management key was made. It is shown this once:",
		"",
		`  ${key}`,
		"",
		`It is kept in ${file}, which only this user can read.`,
		"",
		"Create a tenant:",
		"",
		`curl -sS -w '\\n' ${url}/create ${bearer} ${json} -d ${tenant}`,
		"",
		"Sign a user up under it:",
		"",
		`curl -sS -w '\\n' ${url}/sign-up/email -H "x-tenant-id: ${tenantId}" ${json} -d ${user}`,
		"",
	];
}
