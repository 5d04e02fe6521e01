import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { afterAll, onTestFinished } from "vitest";
import { openBackend } from "../src/auth";
import { createLog } from "../src/monitoring/log";
import { createService } from "../src/server";
import { loadSecrets } from "../src/settings/generated-secrets";
import { type ServiceConfig, secretValues, serviceConfig } from "../src/settings/service-config";
import { readSettings } from "../src/settings/settings";
import { cheapPasswords } from "./cheap-passwords";
import { temporaryDirectory } from "./temporary-directory";

export const managementKey = "management-key-for-tests";
export const asManager = { authorization: `Bearer ${managementKey}` };

let clients = 0;

/** An unused IP address: rate limits count per address. */
export const newIp = () => `10.0.${clients >> 8}.${clients++ & 255}`;

type Environment = Record<string, string>;

const settingsOf = (environment: Environment) =>
	readSettings(
		{
			HOST: "0.0.0.0",
			BETTER_AUTH_URL: "http://localhost:3000",
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
			MANAGEMENT_KEYS: managementKey,
			LOG_LEVEL: "debug",
			...environment,
		},
		"/",
	);

type AtTheEnd = (clean: () => Promise<void> | void) => void;

/** The settings that decide which tables there are. A test makes sure that no other one does. */
const tableSettings = ({ SCIM, SAML, EVENT_STREAM_URL }: Environment): Environment => ({
	...(SCIM === undefined ? {} : { SCIM }),
	...(SAML === undefined ? {} : { SAML }),
	...(EVENT_STREAM_URL === undefined ? {} : { EVENT_STREAM_URL: "http://localhost:4318" }),
});

/** Empty databases with all tables. To migrate one takes longer than the rest of a start. */
const migrated = new Map<string, Promise<Buffer>>();

async function migrateDatabase(environment: Environment): Promise<Buffer> {
	const DATA_DIR = mkdtempSync(join(tmpdir(), "tenant-server-"));
	const settings = settingsOf({ ...environment, DATA_DIR, LOG_LEVEL: "silent" });
	const config = serviceConfig(settings, loadSecrets(settings), 3000);
	const backend = await openBackend(config, createLog({ level: "silent", secrets: [] }));
	await backend.close();
	const file = readFileSync(join(DATA_DIR, "auth.db"));
	rmSync(DATA_DIR, { recursive: true });
	return file;
}

/** A directory for the data of a new service, with a migrated database. */
async function newDataDirectory(environment: Environment, atTheEnd: AtTheEnd): Promise<string> {
	const needed = tableSettings(environment);
	const key = JSON.stringify(needed);
	const file = migrated.get(key) ?? migrateDatabase(needed);
	migrated.set(key, file);
	const directory = temporaryDirectory(atTheEnd);
	writeFileSync(join(directory, "auth.db"), await file, { mode: 0o600 });
	return directory;
}

/** The service in this process, with its own database and these settings. */
export async function runningService(
	environment: Record<string, string> = {},
	{
		realPasswords = false,
		redisPrefix = "tenant-server-tests:",
		keepsEmails = false,
		/** What only tests can choose. Called after the suite has started. */
		config: more = (): Partial<ServiceConfig> => ({}),
		atTheEnd = onTestFinished as AtTheEnd,
	} = {},
) {
	const isMigrated = !environment.DATA_DIR && !environment.DATABASE_URL;
	const data: Environment = isMigrated
		? { DATA_DIR: await newDataDirectory(environment, atTheEnd) }
		: {};
	const settings = settingsOf({ ...data, ...environment });
	const lines: string[] = [];
	const config = {
		...serviceConfig(settings, loadSecrets(settings), 3000),
		isMigrated,
		redisPrefix,
		...(realPasswords ? {} : { passwords: cheapPasswords, fileLogN: 4 }),
		// As on a server of this machine, also if its URL is public.
		...(keepsEmails ? { email: "outbox" as const } : {}),
		...more(),
	};
	const log = createLog({
		level: settings.logLevel,
		secrets: secretValues(config),
		destination: { write: (line) => void lines.push(line) },
	});
	const service = await createService(config, log);
	let closing: Promise<void> | undefined;
	const close = () => {
		closing ??= service.close();
		return closing;
	};
	atTheEnd(close);
	const { baseUrl } = config;

	/** Sends a request from an IP address. */
	const call = async (path: string, init: RequestInit = {}, ip = newIp()) => {
		const bindings = { incoming: { socket: { remoteAddress: ip } } } as HttpBindings;
		const url = path.startsWith("/") ? `${baseUrl}${path}` : path;
		return service.app.request(url, init, bindings);
	};
	return {
		...service,
		call,
		post: posting(call),
		close,
		baseUrl,
		/** The log lines so far. */
		logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
		log: () => lines.join(""),
	};
}

export type RunningService = Awaited<ReturnType<typeof runningService>>;

/**
 * A service that the tests of a suite share. Each test creates its own tenants and users.
 *
 * @example
 * const service = useService();
 * test("…", async () => {
 *   const { post } = await service();
 * });
 */
export function useService(...[environment, options]: Parameters<typeof runningService>) {
	const ends: Parameters<AtTheEnd>[0][] = [];
	afterAll(async () => {
		for (const end of ends.reverse()) await end();
	});
	let started: Promise<RunningService> | undefined;
	return () => {
		const atTheEnd: AtTheEnd = (end) => void ends.push(end);
		started ??= runningService(environment, { ...options, atTheEnd });
		return started;
	};
}

let tenants = 0;

/** A slug that no other tenant of this process has. */
export const newSlug = (name = "acme") => `${name}-${++tenants}`;

function posting(call: (path: string, init: RequestInit, ip?: string) => Promise<Response>) {
	return (path: string, body: unknown, headers: Record<string, string> = {}, ip?: string) => {
		const json = { "content-type": "application/json", ...headers };
		const text = typeof body === "string" ? body : JSON.stringify(body);
		const url = path.startsWith("/") ? `/api/auth${path}` : path;
		return call(url, { method: "POST", headers: json, body: text }, ip);
	};
}

type Post = RunningService["post"];

/** Creates a tenant and returns its id. */
export async function newTenant(post: Post, slug = "acme", more: object = {}): Promise<string> {
	const response = await post("/tenant/create", { name: slug, slug, ...more }, asManager);
	const { id } = (await response.json()) as { id: string };
	return id;
}

export const newUser = (email: string) => ({
	name: "Ada",
	email,
	password: "correct horse battery",
});

export const cookiesOf = (response: Response) =>
	response.headers
		.getSetCookie()
		.map((value) => value.split(";")[0])
		.join("; ");
