import type { Log } from "./monitoring/log";
import type { Secrets } from "./settings/generated-secrets";
import type { ServiceConfig } from "./settings/service-config";
import type { DatabaseLocation } from "./settings/settings";

export type StartReport = {
	/** The origin that clients use. */
	baseUrl: string;
	/** An origin that works on this machine, even if a proxy is in front of the server. */
	localUrl: string;
	database: DatabaseLocation;
	email: ServiceConfig["email"];
	secrets: Secrets;
	/** Whether somebody can sign in to the console with an account. */
	hasOperators: boolean;
};

/**
 * Reports that the server is up: as text for a person, or as a log line in production. The log line
 * never contains a generated key, only the file that it is in.
 */
export function reportStart(report: StartReport, log: Log): void {
	if (process.stdout.isTTY || process.env.NODE_ENV !== "production") {
		process.stdout.write(`${startupBanner(report)}\n`);
		return;
	}
	const { localUrl, baseUrl, database, secrets } = report;
	const managementKeys = secrets.fromSettings ? "MANAGEMENT_KEYS" : secrets.file;
	log.info({ localUrl, baseUrl, database: database.type, managementKeys }, "listening");
	if (!report.hasOperators) log.info(`no operators yet: ${CREATE_OPERATOR} creates the first one`);
}

const CREATE_OPERATOR = "npx tenant-auth operator create you@example.com --role owner";

function startupBanner(report: StartReport): string {
	return [
		`Listening on   ${report.localUrl}`,
		`Base URL       ${report.baseUrl}`,
		`Console        ${report.baseUrl}/console`,
		`API document   ${report.baseUrl}/api/auth/open-api/generate-schema`,
		`Database       ${describeDatabase(report.database)}`,
		...(report.email === "none" ? ["Emails         are not sent: SMTP_URL is not set"] : []),
		...(report.hasOperators ? [] : [`First operator ${CREATE_OPERATOR}`]),
		...managementKeyLines(report),
	].join("\n");
}

function describeDatabase(database: DatabaseLocation): string {
	if (database.type === "sqlite") return database.file;
	return `${database.type === "mysql" ? "MySQL" : "PostgreSQL"} at DATABASE_URL`;
}

function managementKeyLines({ localUrl, secrets }: StartReport): string[] {
	if (secrets.newManagementKey) {
		return firstSteps(`${localUrl}/api/auth/tenant`, secrets.newManagementKey, secrets.file);
	}
	return secrets.fromSettings
		? ["Management     with the keys in MANAGEMENT_KEYS"]
		: [`Management     with the key in ${secrets.file}`];
}

/** Each command works alone: the second one finds the tenant's id by its slug. */
function firstSteps(url: string, key: string, file: string): string[] {
	const bearer = `-H 'Authorization: Bearer ${key}'`;
	const json = "-H 'Content-Type: application/json'";
	const tenant = `'{"name":"Acme","slug":"acme"}'`;
	const user = `'{"name":"Ada","email":"ada@example.com","password":"correct horse battery"}'`;
	const tenantId = `$(curl -sS '${url}/get?slug=acme' ${bearer} | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')`;
	return [
		"",
		"Generated a management key. It is shown only once:",
		"",
		`  ${key}`,
		"",
		`It is stored in ${file}. Only this user can read the file.`,
		"",
		"Create a tenant:",
		"",
		`curl -sS -w '\\n' ${url}/create ${bearer} ${json} -d ${tenant}`,
		"",
		"Sign up a user in this tenant:",
		"",
		`curl -sS -w '\\n' ${url}/sign-up/email -H "x-tenant-id: ${tenantId}" ${json} -d ${user}`,
		"",
	];
}
